package samples;

import java.io.*;
import java.lang.reflect.Method;
import javax.servlet.http.*;

/** Settings that are copied one by one by reflection: which of many getters and setters run together is not known. */
public class Overridden extends HttpServlet {
    public static class Settings {
        private String first, second, third, fourth, fifth, sixth, seventh;

        public String getFirst() { return first; }
        public void setFirst(String value) { first = value; }
        public String getSecond() { return second; }
        public void setSecond(String value) { second = value; }
        public String getThird() { return third; }
        public void setThird(String value) { third = value; }
        public String getFourth() { return fourth; }
        public void setFourth(String value) { fourth = value; }
        public String getFifth() { return fifth; }
        public void setFifth(String value) { fifth = value; }
        public String getSixth() { return sixth; }
        public void setSixth(String value) { sixth = value; }
        public String getSeventh() { return seventh; }
        public void setSeventh(String value) { seventh = value; }

        void override(Settings other) throws ReflectiveOperationException {
            for (Method method : Settings.class.getMethods()) {
                if (method.getName().startsWith("set")) {
                    Method getter = Settings.class.getMethod("get" + method.getName().substring(3));
                    method.invoke(this, getter.invoke(other));
                }
            }
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Settings given = new Settings();
        given.setFirst(request.getParameter("first"));
        new File(given.getFirst()).delete(); // found path-injection
        Settings kept = new Settings();
        try {
            kept.override(given);
        } catch (ReflectiveOperationException e) {
            throw new IOException(e);
        }
        new File(kept.getSecond()).delete();
    }
}
