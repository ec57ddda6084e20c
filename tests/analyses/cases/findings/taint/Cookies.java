import javax.servlet.http.*;
import org.springframework.http.ResponseCookie;

/** Cookies that say who the user is, and others. */
class Cookies extends HttpServlet {
    private static final String NAME = "auth-token";

    public static void main(String[] args) {
        Cookies cookies = new Cookies();
        cookies.doGet(null, null);
        cookies.doPost(null, null);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        Cookie open = new Cookie("sessionId", request.getSession().getId());
        open.setSecure(true);
        response.addCookie(open); // found readable-cookie
        Cookie off = new Cookie(NAME, request.getSession().getId());
        off.setSecure(true);
        off.setHttpOnly(false);
        response.addCookie(off); // found readable-cookie
        Cookie closed = new Cookie(NAME, request.getSession().getId());
        closed.setSecure(true);
        closed.setHttpOnly(true);
        response.addCookie(closed);
        Cookie language = new Cookie("language", request.getSession().getId());
        language.setSecure(true);
        response.addCookie(language);
        Cookie token = new Cookie("csrf-token", request.getSession().getId());
        token.setSecure(true);
        response.addCookie(token);
        Cookie gone = new Cookie("sessionId", "");
        response.addCookie(gone);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) {
        String id = request.getSession().getId();
        add(response, ResponseCookie.from("jwt", id).path("/").build()); // found readable-cookie, insecure-cookie
        add(response, ResponseCookie.from("jwt", id).secure(true).build()); // found readable-cookie
        add(response, ResponseCookie.from("jwt", id).httpOnly(true).secure(false).build()); // found insecure-cookie
        add(response, ResponseCookie.from("jwt", id).httpOnly(true).secure(true).build());
        add(response, ResponseCookie.from("jwt", "").build());
        add(response, ResponseCookie.from("jwt", id).maxAge(0).build());
        ResponseCookie.ResponseCookieBuilder builder = ResponseCookie.from("jwt", id);
        builder.secure(true);
        builder.httpOnly(true);
        add(response, builder.build());
        finish(ResponseCookie.from("jwt", id));
    }

    private static void add(HttpServletResponse response, ResponseCookie cookie) {
        response.addHeader("Set-Cookie", cookie.toString());
    }

    private static void finish(ResponseCookie.ResponseCookieBuilder builder) {
        builder.secure(true).httpOnly(true);
    }
}
