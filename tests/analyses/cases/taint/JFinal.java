package samples;

import com.jfinal.aop.Inject;
import com.jfinal.aop.Invocation;
import com.jfinal.core.Controller;
import com.jfinal.kit.HashKit;
import com.jfinal.plugin.activerecord.Db;
import com.jfinal.plugin.activerecord.Model;
import io.jboot.web.controller.JbootController;
import java.io.File;
import org.apache.commons.codec.digest.DigestUtils;

/** Controllers of JFinal, whose public methods answer requests, and what JFinal's layer over databases is given. */
public class JFinal {
    static class Order extends Model<Order> {
        static final Order dao = new Order();
    }

    static class Orders {
        void find(String name) {
            Order.dao.find("select * from orders where name = '" + name + "'"); // found sql-injection
            Order.dao.find("select * from orders where name = ?", name);
            Db.paginate(1, 10, "select *", "from orders order by " + name); // found sql-injection
            Db.paginate(1, 10, "select *", "from orders where name = ?", name);
        }
    }

    static class Shop extends Controller {
        @Inject
        Orders orders;

        public void index() {
            orders.find(getPara("name"));
            hidden(get("name"));
            Db.update("delete from orders where id = " + getParaToInt("id"));
            redirect("/orders?name=" + getPara("name"));
            redirect(getPara("to"));                  // found url-redirection
        }

        public void page(String name, int page) {
            renderHtml("<b>" + name + "</b>" + page); // found html-injection
            renderFile(new File("/data/" + page));
            renderFile("/data/" + name);              // found path-injection
            renderText(getRawData());
        }

        private void hidden(String name) {
            renderFile("/data/" + HashKit.md5(name));
            renderFile("/data/" + DigestUtils.sha256Hex(name) + name.length());
            getRequest().getSession();
            new File(getRequest().getParameter("name")).delete(); // found path-injection
            new File(getFile().getFileName()).delete();           // found path-injection
            getFile().getFile().delete();
        }
    }

    abstract static class Based extends JbootController {
        public void show(String name) {
            redirect(name);
            new File(getRequest().getServletPath()).delete();
        }
    }

    static class Found extends Based {
        public void list() {
            Db.find("select * from orders order by " + getPara("order")); // found sql-injection
            show("/orders");
        }
    }

    static class Logged implements com.jfinal.aop.Interceptor {
        public void intercept(Invocation invocation) {
            Controller controller = invocation.getController();
            controller.redirect(controller.getHeader("Referer")); // found url-redirection
        }
    }
}
