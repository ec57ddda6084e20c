package samples;

import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

// Cookies of a request come in a header line, which has no ends of lines: they may be sent back.
class SentCookies extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
        for (Cookie cookie : request.getCookies()) {
            response.addCookie(cookie);
            response.getWriter().println(cookie.getValue()); // found html-injection
        }
        response.addCookie(new Cookie("name", request.getParameter("name"))); // found response-splitting
    }
}
