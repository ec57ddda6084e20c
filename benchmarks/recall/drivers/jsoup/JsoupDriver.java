import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.helper.W3CDom;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Entities;
import org.jsoup.nodes.FormElement;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.safety.Safelist;
import org.jsoup.select.Elements;
import org.jsoup.select.NodeFilter;
import org.jsoup.select.NodeTraversor;
import org.jsoup.select.NodeVisitor;

/** Uses what jsoup is used for: parsing, selecting, changing, cleaning and printing. */
final class JsoupDriver {
    private static final String PAGE = "<!DOCTYPE html><html><head><title>Shop &amp; more</title><base href='http://a.b/c/'>"
        + "<meta charset=utf-8><style>p { color: red }</style><script>if (a < b) { c(); }</script></head><body class='x y'>"
        + "<!-- a comment --><h1 id=top>Title</h1><p>One <b>two <i>three</b> four</i> &copy; &notanentity; &#x41;</p>"
        + "<table><tr><td>1<td>2<tr><td colspan=2>3</table><ul><li>a<li class='odd first'>b<li>c</ul>"
        + "<form action=/send method=post><input name=q value=v><input type=checkbox name=c checked><select name=s>"
        + "<option value=1>one<option value=2 selected>two</select><textarea name=t>text</textarea></form>"
        + "<a href='d/e.html'>link</a><a href='http://x.y/'>other</a><img src=i.png><br/><pre>\n  kept\n</pre>"
        + "<svg viewBox='0 0 1 1'><path d=''/></svg><div data-id=7><span>s</span><span lang=en>t</span></div></body></html>";

    private static final String[] QUERIES = {
        "p", "#top", ".odd", "a[href]", "a[href^=http]", "a[href$=.html]", "a[href*=y]", "a[href~=[xd]]", "[^data-]", "li:eq(1)",
        "li:gt(0)", "li:lt(2)", "ul > li", "h1 + p", "h1 ~ ul", "p, li", "body *", "p:has(b)", "li:not(.odd)",
        "p:contains(three)", "p:containsOwn(One)", "p:matches(T.o)", "li:nth-child(2n+1)", "li:first-child", "li:last-of-type",
        "span:only-of-type", ":root", "td:empty", "input[type=checkbox]", "span[lang!=de]", "div > span:nth-last-child(1)",
        "script:containsData(b)", "p:matchesOwn(One)", "*|p", "li.odd.first", ":containsWholeText(kept)",
    };

    public static void main(String[] args) throws Exception {
        Document page = Jsoup.parse(PAGE, "http://a.b/c/");
        for (String query : QUERIES) {
            Elements found = page.select(query);
            found.eachText();
            found.hasClass("odd");
        }
        read(page);
        change(page);
        walk(page);
        print(page);
        clean();
        others();
    }

    private static void read(Document page) throws Exception {
        page.title();
        page.getElementById("top").cssSelector();
        page.getElementsByTag("a").attr("abs:href");
        page.getElementsByAttributeValueMatching("href", ".*").size();
        page.getElementsByIndexEquals(1).not("li").eachAttr("class");
        page.getElementsContainingText("two").parents().is("body");
        Element item = page.selectFirst("li");
        item.nextElementSiblings().prev().next().first();
        item.siblingElements().last().elementSiblingIndex();
        item.dataset().put("k", "v");
        item.parent().children().forEach(child -> child.classNames().add("n"));
        FormElement form = (FormElement) page.selectFirst("form");
        form.formData().forEach(pair -> pair.key().concat(pair.value()));
        form.elements().val();
        page.selectFirst("script").data();
        page.selectFirst("pre").wholeText();
        page.head().ownText();
        page.location();
        page.documentType().name();
        page.connection().request().headers();
    }

    private static void change(Document page) {
        Element list = page.selectFirst("ul");
        list.append("<li>d").prepend("<li>0").appendElement("li").text("e").attr("title", "t").addClass("z");
        list.child(1).before("<li>before").after(new TextNode("after"));
        list.select("li").wrap("<div class=w></div>").addClass("c").removeClass("c").toggleClass("q").attr("k", "v");
        list.selectFirst("li").html("<b>bold</b>").unwrap();
        list.children().last().remove();
        page.select("b").tagName("strong").unwrap();
        page.select("i").empty().remove();
        page.selectFirst("h1").replaceWith(new Element("h2").text("x"));
        page.body().insertChildren(0, List.of(new Element("hr")));
        page.selectFirst("td").attributes().add("a", "b");
        page.selectFirst("td").removeAttr("a").clearAttributes();
        Element copy = page.body().clone();
        copy.shallowClone().hasSameValue(copy);
        page.title("new");
        page.charset(StandardCharsets.ISO_8859_1);
        page.normalise();
    }

    private static void walk(Document page) {
        int[] counts = new int[2];
        page.traverse(new NodeVisitor() {
            @Override
            public void head(Node node, int depth) {
                counts[0]++;
            }

            @Override
            public void tail(Node node, int depth) {
                counts[1]++;
            }
        });
        NodeTraversor.filter(new NodeFilter() {
            @Override
            public FilterResult head(Node node, int depth) {
                return node.nodeName().equals("table") ? FilterResult.SKIP_CHILDREN : FilterResult.CONTINUE;
            }

            @Override
            public FilterResult tail(Node node, int depth) {
                return FilterResult.CONTINUE;
            }
        }, page);
        page.forEachNode(node -> node.attr("seen", "1"));
        page.select("p").traverse((node, depth) -> node.childNodeSize());
    }

    private static void print(Document page) {
        page.outputSettings().prettyPrint(true).indentAmount(2).outline(true).escapeMode(Entities.EscapeMode.extended);
        page.outerHtml();
        page.outputSettings().syntax(Document.OutputSettings.Syntax.xml).charset("ascii");
        page.html();
        page.text();
        Entities.escape("<é>");
        Parser.unescapeEntities("&amp;", false);
    }

    private static void clean() {
        String dirty = "<p onclick=x()>a<script>b()</script><a href='javascript:c()'>d</a><img src=http://e/f></p>";
        Jsoup.clean(dirty, Safelist.none());
        Jsoup.clean(dirty, "http://a/", Safelist.relaxed().addTags("x").addAttributes("p", "id").preserveRelativeLinks(true));
        Jsoup.clean(dirty, "", Safelist.basicWithImages().addEnforcedAttribute("a", "rel", "nofollow"));
        Jsoup.isValid(dirty, Safelist.basic().removeTags("b").addProtocols("img", "src", "http"));
    }

    private static void others() throws Exception {
        Document xml = Jsoup.parse("<?xml version='1.0'?><a><![CDATA[x]]><b c='d'/></a>", "", Parser.xmlParser());
        xml.outerHtml();
        new W3CDom().fromJsoup(Jsoup.parse(PAGE)).getDocumentElement();
        W3CDom.asString(W3CDom.convert(Jsoup.parse(PAGE)), W3CDom.OutputHtml());
        Parser tracking = Parser.htmlParser().setTrackErrors(10).setTrackPosition(true);
        Jsoup.parse("<p>a</div><q", "", tracking);
        tracking.getErrors().forEach(error -> error.getErrorMessage());
        Jsoup.parseBodyFragment("<td>x").body().text();
        byte[] bytes = PAGE.getBytes(StandardCharsets.UTF_8);
        Jsoup.parse(new ByteArrayInputStream(bytes), null, "http://a/").selectXpath("//li").size();
        try {
            Jsoup.parse("<p>").select("p[");
        } catch (IllegalStateException refused) {
            refused.getMessage();
        }
        Jsoup.connect("http://localhost:1/").userAgent("u").timeout(10).data("k", "v").cookie("a", "b").request().url();
    }
}
