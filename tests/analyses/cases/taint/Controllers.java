package samples;

import fi.iki.elonen.NanoHTTPD;
import java.io.File;
import org.apache.wicket.markup.html.WebPage;
import org.apache.wicket.request.mapper.parameter.PageParameters;
import org.noear.solon.annotation.Controller;
import org.noear.solon.annotation.Mapping;
import org.noear.solon.core.handle.Context;
import play.mvc.Result;

/** Controllers and servers of Play, Solon, NanoHTTPD and Wicket. */
public class Controllers {
    static class Shop extends play.mvc.Controller {
        public Result find(String name, Long id) {
            new File("/data/" + name).delete(); // found path-injection
            new File("/data/" + id).delete();
            return redirect(name);              // found url-redirection
        }
    }

    @Controller
    static class Orders {
        @Mapping("/orders")
        public String find(String name, Context context) {
            new File("/data/" + name).delete();                     // found path-injection
            new File("/data/" + context.param("folder")).delete();  // found path-injection
            context.redirect(context.header("Referer"));            // found url-redirection
            return name;
        }
    }

    static class Files extends NanoHTTPD {
        Files() {
            super(8080);
        }

        @Override
        public Response serve(IHTTPSession session) {
            new File("/data/" + session.getUri()).delete();        // found path-injection
            return newFixedLengthResponse("<b>" + session.getParms().get("name") + "</b>"); // found html-injection
        }
    }

    static class Home extends WebPage {
        public Home(PageParameters parameters) {
            new File("/data/" + parameters.get("name").toString()).delete(); // found path-injection
        }
    }
}
