package samples;

import com.acme.files.Entries;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.commons.compress.compressors.deflate.DeflateCompressorInputStream;
import org.apache.commons.io.IOUtils;

/** Archives, which are no pages; folders that a method asks for; look-ups; a stream that is read, and an address. */
class Archived extends HttpServlet {
    static class Kept {
        String folder = "kept";
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        ZipOutputStream archive = new ZipOutputStream(response.getOutputStream());
        archive.putNextEntry(new ZipEntry("name"));
        archive.write(name.getBytes());
        new GZIPOutputStream(response.getOutputStream()).write(name.getBytes()); // found html-injection
        File folder = new File("/data");
        opened(folder, new File(folder.getParent(), name));
        openedSame(new File(folder, name));
        Kept kept = (Kept) Entries.getEntry(folder, name);
        new FileInputStream("/kept/" + kept.folder).close();
        String told = Entries.getEntry(folder, name).toString();
        new FileInputStream("/kept/" + told).close(); // found path-injection
        IOUtils.toByteArray(new DeflateCompressorInputStream(request.getInputStream()));
        IOUtils.toByteArray(new java.net.URL(name)); // found request-forgery
    }

    private static void opened(File folder, File file) throws IOException {
        if (isIn(folder, file)) {
            new FileInputStream(file).close();
        } else {
            new FileInputStream(file).close(); // found path-injection
        }
    }

    private static void openedSame(File file) throws IOException {
        if (file.getCanonicalPath().equals(file.getAbsolutePath())) {
            new FileInputStream(file).close(); // found path-injection
        }
    }

    private static boolean isIn(File folder, File file) throws IOException {
        String path = folder.getCanonicalPath();
        String wanted = file.getCanonicalPath();
        if (path.equals(wanted) || wanted.startsWith(folder.getCanonicalPath() + File.separator)) {
            return true;
        }
        return false;
    }
}
