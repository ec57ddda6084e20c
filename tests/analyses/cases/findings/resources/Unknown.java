import java.io.*;
import java.util.Scanner;
import missing.TagSupport;

/** Of an argument of a class that is missing it is not known whether it is the name of a file or a writer. */
class Unknown extends TagSupport {
    void wrapped() {
        PrintWriter writer = new PrintWriter(page.getOut(), true);
        writer.println();
    }

    void scanned() {
        System.out.println(new Scanner(page.getInput()).next());
    }

    void named(String name) throws IOException {
        PrintWriter writer = new PrintWriter(name, "UTF-8"); // found unclosed-resource
        writer.println();
    }

    void file() throws IOException {
        FileInputStream in = new FileInputStream(page.getFile()); // found unclosed-resource
        in.read();
    }
}
