package samples;

import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
import java.util.Base64;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import javax.servlet.http.*;
import org.apache.commons.io.FilenameUtils;
import org.apache.commons.lang3.StringUtils;

/** Values from which a program takes the signs that do harm. */
public class Signs extends HttpServlet {
    private static final Logger LOG = Logger.getLogger("samples");
    private static final Pattern LINES = Pattern.compile("[\r\n]+");
    private static final Pattern TABS = Pattern.compile("\t");

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String text = request.getParameter("text");
        LOG.info(text); // found log-injection
        LOG.info(text.replace("\n", "_"));
        LOG.info(text.replace('\n', ' ').replace('\r', ' '));
        LOG.info(text.replaceAll("[\r\n]", ""));
        LOG.info(text.replaceAll("[\\r\\n]+", ""));
        LOG.info(text.replaceAll("\\r?\\n", ""));
        LOG.info(text.replaceAll("\\R", " "));
        LOG.info(LINES.matcher(text).replaceAll(" "));
        LOG.info(TABS.matcher(text).replaceAll(" ")); // found log-injection
        LOG.info(LINES.matcher(text).replaceAll("\n ")); // found log-injection
        response.sendRedirect(request.getContextPath() + "/texts/" + text);
        response.sendRedirect("/texts/" + text); // found url-redirection
        response.sendRedirect("/" + text); // found url-redirection
        response.sendRedirect(text + "/texts/"); // found url-redirection
        request.getRequestDispatcher("/texts?of=" + text);
        request.getRequestDispatcher("/texts/" + text); // found url-forward
        LOG.info(text.replaceAll("\\p{Cntrl}", ""));
        LOG.info(text.replaceAll("[\\p{C}]+", ""));
        LOG.info(text.replaceAll("[^\\x20-\\x7E]", "?"));
        LOG.info(text.replaceAll("\\P{Print}", "?"));
        LOG.info(text.replaceAll("\\W+", "_"));
        LOG.info(text.replaceAll("\\p{Print}", "")); // found log-injection
        LOG.info(text.replaceAll("[^\\p{Cntrl}]", "")); // found log-injection
        LOG.info(text.replaceAll("[^a-zA-Z0-9\\w.-]", "_"));
        LOG.info(text.replaceAll("\r", "")); // found log-injection
        LOG.info(text.replaceAll("[^a-z\n]", "")); // found log-injection
        LOG.info(text.replaceAll("[\t]", "\n")); // found log-injection
        LOG.info(text.replaceAll("[\n]", "x\n")); // found log-injection
        response.setHeader("X-Text", text.replaceAll("[\r\n]", ""));
        response.setHeader("X-Text", text.replaceAll("[\r]", "")); // found response-splitting
        response.getWriter().println(text.replaceAll("[\"'<>&]", ""));
        response.getWriter().println(text.replaceAll("[^a-zA-Z0-9 ]", ""));
        response.getWriter().println(text.replaceAll("[<>]", "")); // found html-injection
        response.getWriter().println(text.replaceAll("[^<>\"a-z]", "")); // found html-injection
        response.getWriter().println(text.replaceAll("[\"'<>&]", "<b>")); // found html-injection
        response.getWriter().println(text.replace("\n", "")); // found html-injection
        response.getWriter().println(text.replace("&", "&amp;").replace("<", "&lt;"));
        response.getWriter().println(StringUtils.replace(text, "<", "&lt;"));
        response.getWriter().println(StringUtils.replace(text, "&", "&amp;")); // found html-injection
        response.getWriter().println(text.replace("<", "")); // found html-injection
        response.getWriter().println(Base64.getEncoder().encodeToString(text.getBytes()));
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        new FileWriter("pages/page." + name.substring(name.lastIndexOf(".") + 1)).close();
        int dot = name.lastIndexOf('.');
        new FileWriter("pages/page" + name.substring(dot)).close();
        new FileWriter("pages/page." + FilenameUtils.getExtension(name)).close();
        new FileWriter("pages/" + name.substring(name.indexOf(".") + 1)).close(); // found path-injection
        new FileWriter("pages/" + name.substring(name.lastIndexOf("/"))).close();
        new FileWriter("pages/" + name.substring(name.lastIndexOf('/') + 1, name.length())).close();
        new FileWriter("pages/" + name.substring(name.lastIndexOf(File.separator) + 1)).close();
        new FileWriter("pages/" + name.substring(name.lastIndexOf("\\") + 1)).close(); // found path-injection
        new FileWriter("pages/page." + acme.Files.getFileSuffix(name)).close();
        new FileWriter("pages/" + name.substring(0, dot)).close(); // found path-injection
    }

    static class Own {
        static boolean has(CharSequence text, CharSequence part) {
            return StringUtils.contains(text, part);
        }
    }

    static class Others {
        static boolean contains(CharSequence text, CharSequence part) {
            return org.apache.commons.lang3.Strings.CS.contains(text, part);
        }
    }

    static class Texts extends StringUtils {
        static boolean allows(String name) {
            if (Texts.contains(name, "..")) {
                return false;
            }
            return name.endsWith(".txt");
        }
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        if (!StringUtils.contains(name, "..")) {
            new FileWriter("pages/" + name).close();
        }
        if (!StringUtils.contains(name, "~")) {
            new FileWriter("pages/" + name).close(); // found path-injection
        }
        if (!Own.has(name, "..")) {
            new FileWriter("pages/" + name).close();
        }
        if (!Others.contains(name, "..")) {
            new FileWriter("pages/" + name).close();
        }
        if (!Own.has(name, "~")) {
            new FileWriter("pages/" + name).close(); // found path-injection
        }
        if (!Texts.allows(name)) {
            throw new IOException();
        }
        new FileWriter("pages/" + name).close();
    }
}
