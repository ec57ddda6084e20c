package samples;

import java.io.FileOutputStream;
import javax.servlet.http.*;
import org.apache.struts.action.*;
import org.apache.struts.actions.DispatchAction;
import org.apache.struts.upload.FormFile;
import org.apache.struts.validator.ValidatorForm;

/** Forms that Struts fills with what requests say: those of its first version, and objects that actions of the second have. */
public class Struts {
    static class ShopForm extends ActionForm {
        private String name;
        private FormFile file;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }

        public FormFile getFile() {
            return file;
        }

        public void setFile(FormFile file) {
            this.file = file;
        }
    }

    static class FoundForm extends ValidatorForm {
        private String name;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }

        public void reset(ActionMapping mapping, HttpServletRequest request) {
            this.name = null;
        }
    }

    static class ShopAction extends Action {
        public ActionForward execute(ActionMapping mapping, ActionForm form, HttpServletRequest request,
                HttpServletResponse response) throws Exception {
            ShopForm shop = (ShopForm) form;
            Runtime.getRuntime().exec(shop.getName()); // found command-injection
            new FileOutputStream("/data/" + shop.getFile().getFileName()).close(); // found path-injection
            return null;
        }
    }

    static class FindAction extends Action {
        public ActionForward execute(ActionMapping mapping, ActionForm form, HttpServletRequest request,
                HttpServletResponse response) throws Exception {
            String name = ((FoundForm) form).getName().trim();
            Runtime.getRuntime().exec(name); // found command-injection
            return null;
        }
    }

    static class ManyAction extends DispatchAction {
        public ActionForward save(ActionMapping mapping, ActionForm form, HttpServletRequest request,
                HttpServletResponse response) throws Exception {
            Runtime.getRuntime().exec((String) ((DynaActionForm) form).get("name")); // found command-injection
            return null;
        }
    }

    static class Login {
        private String user;

        public String getUser() {
            return user;
        }

        public void setUser(String user) {
            this.user = user;
        }
    }

    static class Users {
        private String command = "ls";

        public String getCommand() {
            return command;
        }

        public void setCommand(String command) {
            this.command = command;
        }
    }

    static class LoginAction extends com.opensymphony.xwork2.ActionSupport {
        private Login login;
        private Users users;

        public Login getLogin() {
            return login;
        }

        public void setLogin(Login login) {
            this.login = login;
        }

        public void setUsers(Users users) {
            this.users = users;
        }

        public String execute() throws Exception {
            Runtime.getRuntime().exec(login.getUser()); // found command-injection
            Runtime.getRuntime().exec(users.getCommand());
            return "done";
        }
    }
}
