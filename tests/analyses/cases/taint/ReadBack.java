package samples;

import java.io.*;
import java.util.*;
import javax.servlet.http.*;

/** Objects that read themselves from a stream: whoever chooses the bytes chooses what is in their fields. */
public class ReadBack extends HttpServlet {
    static final class Task implements Serializable {
        private String action;
        private int size;
        private transient String made = "ls";

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            Runtime.getRuntime().exec(action);                // found command-injection
            Runtime.getRuntime().exec("ls -" + size);
            Runtime.getRuntime().exec(made);
        }
    }

    static final class Written implements Serializable {
        private String name;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            name = (String) in.readObject();
            Runtime.getRuntime().exec(name);                  // found command-injection
        }
    }

    static final class Plain implements Externalizable {
        private String name;

        public Plain() {
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            name = in.readUTF();
            Runtime.getRuntime().exec(name);                  // found command-injection
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeUTF(name);
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try (ObjectInputStream in = new ObjectInputStream(request.getInputStream())) {
            response.setStatus(in.readObject().hashCode());   // found unsafe-deserialization
        } catch (ClassNotFoundException unknown) {
            throw new IOException(unknown);
        }
    }
}
