package shop;

import java.io.IOException;
import javax.servlet.ServletOutputStream;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Browsers that are sent where they are already, and answers that are no pages. */
public class SentBack extends HttpServlet {
    private static final String ICON = "image/x-icon";

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.sendRedirect(request.getRequestURI());
        response.sendRedirect(request.getRequestURI() + "?page=" + request.getParameter("page"));
        response.sendRedirect(request.getRequestURL().toString());
        String address = request.getRequestURI();
        response.sendRedirect(address);
        String inside = request.getRequestURI().substring(request.getContextPath().length());
        response.sendRedirect(inside); // found url-redirection
        String next = request.getRequestURI();
        if (request.isSecure()) {
            next = request.getParameter("next");
        }
        response.sendRedirect(next); // found url-redirection
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (request.getMethod()) {
            case "ICON":
                icon(request.getParameter("bytes").getBytes(), response);
                break;
            case "SOUND":
                sound(request.getParameter("bytes").getBytes(), response);
                break;
            default:
                drawing(request.getParameter("bytes").getBytes(), response);
        }
    }

    private void icon(byte[] bytes, HttpServletResponse response) throws IOException {
        response.setContentType(ICON);
        try (ServletOutputStream out = response.getOutputStream()) {
            out.write(bytes);
        }
    }

    private void sound(byte[] bytes, HttpServletResponse response) throws IOException {
        response.setContentType("audio/mpeg");
        response.getOutputStream().write(bytes);
    }

    private void drawing(byte[] bytes, HttpServletResponse response) throws IOException {
        response.setContentType("image/svg+xml");
        response.getOutputStream().write(bytes); // found html-injection
    }
}
