import com.google.common.io.ByteStreams;
import com.google.common.io.Files;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.security.cert.*;
import java.util.stream.Collectors;
import org.apache.commons.io.FileUtils;
import org.apache.commons.io.IOUtils;
import org.springframework.core.io.Resource;
import org.springframework.util.FileCopyUtils;
import org.springframework.util.StreamUtils;

/** What methods of libraries only use stays open; others may close what they are given. */
class Libraries {
    static void copied(File from, File to) throws IOException {
        InputStream in = new FileInputStream(from); // found unclosed-resource
        try (OutputStream out = new FileOutputStream(to)) {
            IOUtils.copy(in, out);
        }
    }

    static void copiedInTry(File from, File to) throws IOException {
        try (InputStream in = new FileInputStream(from); OutputStream out = new FileOutputStream(to)) {
            IOUtils.copy(in, out);
        }
    }

    static String text(File file) throws IOException {
        return IOUtils.toString(new FileInputStream(file), StandardCharsets.UTF_8); // found unclosed-resource
    }

    static String quietly(File file) throws IOException {
        InputStream in = null;
        try {
            in = new FileInputStream(file);
            return IOUtils.toString(in, StandardCharsets.UTF_8);
        } finally {
            IOUtils.closeQuietly(in);
        }
    }

    static byte[] bytes(File file) throws IOException {
        return ByteStreams.toByteArray(new FileInputStream(file)); // found unclosed-resource
    }

    static String lines(Resource resource) throws IOException {
        InputStream in = resource.getInputStream(); // found unclosed-resource
        return new BufferedReader(new InputStreamReader(in)).lines().collect(Collectors.joining("\n"));
    }

    static String string(Resource resource) throws IOException {
        try (InputStream in = resource.getInputStream()) {
            return StreamUtils.copyToString(in, StandardCharsets.UTF_8);
        }
    }

    /** The class of what is opened is not known, and what closes it is known by its name alone. */
    static void unnamed(Resource resource, OutputStream out) throws IOException {
        try (var in = resource.getInputStream()) {
            StreamUtils.copy(in, out);
        }
    }

    static void unnamedAndLeft(Resource resource, OutputStream out) throws IOException {
        var in = resource.getInputStream(); // found unclosed-resource
        StreamUtils.copy(in, out);
    }

    /** It closes both. */
    static void closing(File from, File to) throws IOException {
        FileCopyUtils.copy(new FileInputStream(from), new FileOutputStream(to));
    }

    /** It closes its source. */
    static void saving(File from, File to) throws IOException {
        FileUtils.copyInputStreamToFile(new FileInputStream(from), to);
    }

    static String first(File file) throws IOException {
        BufferedReader reader = Files.newReader(file, StandardCharsets.UTF_8); // found unclosed-resource
        return reader.readLine();
    }

    static Certificate certificate(File file) throws IOException, CertificateException {
        return CertificateFactory.getInstance("X.509").generateCertificate(new FileInputStream(file)); // found unclosed-resource
    }
}
