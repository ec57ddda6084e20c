package samples;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.servlet.ModelAndView;

/** Names of pages that a controller returns. */
@Controller
public class PageNames {
    @GetMapping("/named")
    public String named(@RequestParam String page) {
        return page; // found url-forward
    }

    @GetMapping("/below")
    public String below(@RequestParam String page) {
        return "pages/" + page; // found url-forward
    }

    @GetMapping("/listed")
    public String listed(@RequestParam String page) {
        return "start".equals(page) || "end".equals(page) ? page : "other";
    }

    @GetMapping("/answer")
    @ResponseBody
    public String answer(@RequestParam String page) {
        return page; // found html-injection
    }

    @GetMapping("/sent")
    public String sent(@RequestParam String page) {
        return "redirect:/pages?of=" + page;
    }

    @GetMapping("/elsewhere")
    public ModelAndView elsewhere(@RequestParam String page) {
        return new ModelAndView("redirect://" + page); // found url-redirection
    }
}
