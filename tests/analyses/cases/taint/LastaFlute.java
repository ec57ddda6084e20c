package samples;

import java.io.File;
import java.io.IOException;
import org.b3log.latke.http.RequestContext;
import org.lastaflute.web.Execute;
import org.lastaflute.web.response.HtmlResponse;
import org.lastaflute.web.util.LaRequestUtil;

/** Actions of LastaFlute, and processors of Latke. */
public class LastaFlute {
    static class DesignForm {
        public String fileName;
        public int size;
    }

    @Execute
    public HtmlResponse delete(DesignForm form) throws IOException {
        new File("/data", form.fileName).delete(); // found path-injection
        new File("/data", "" + form.size).delete();
        new File("/data", LaRequestUtil.getRequest().getParameter("name")).delete(); // found path-injection
        return null;
    }

    public static void main(String[] arguments) {
        new LastaFlute().show(null);
    }

    void show(RequestContext context) {
        new File("/data", context.param("name")).delete(); // found path-injection
        new File("/data", context.pathVar("name")).delete(); // found path-injection
        new File("/data", context.requestJSON().optString("name")).delete(); // found path-injection
        context.sendRedirect(context.getRequest().getParameter("to")); // found url-redirection
    }
}
