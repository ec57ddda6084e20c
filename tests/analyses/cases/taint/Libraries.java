package samples;

import com.zaxxer.hikari.HikariConfig;
import freemarker.template.Configuration;
import freemarker.template.Template;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.util.Enumeration;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.naming.CompositeName;
import javax.naming.InitialContext;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.directory.InitialDirContext;
import javax.naming.directory.SearchControls;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.servlet.http.*;
import javax.sql.DataSource;
import javax.xml.parsers.DocumentBuilderFactory;
import net.sf.saxon.s9api.XsltCompiler;
import ognl.Ognl;
import org.apache.commons.jexl3.JexlEngine;
import org.apache.commons.jexl3.JexlInfo;
import org.apache.sshd.client.session.ClientSession;
import org.codehaus.groovy.control.CompilationUnit;
import org.codehaus.groovy.control.SourceUnit;
import org.dom4j.DocumentHelper;
import org.mvel2.compiler.ExpressionCompiler;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.http.HttpMethod;
import org.springframework.http.RequestEntity;
import org.springframework.jdbc.object.MappingSqlQuery;
import org.springframework.ldap.core.LdapTemplate;
import org.springframework.ldap.filter.EqualsFilter;
import org.springframework.ldap.support.LdapNameBuilder;
import org.w3c.dom.Document;

/** Rows about libraries: which argument does harm, and what is made of it. */
public class Libraries extends HttpServlet {
    abstract static class Query extends MappingSqlQuery<String> {
        Query(DataSource source, String text) {
            super(source, text); // found sql-injection
        }
    }

    static class Named extends Query {
        Named(DataSource source, String text) {
            super(source, text);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String text = request.getParameter("text");
        new Named(null, text);
        try {
            scripts(text);
            names(text);
            connections(text);
            documents(request);
            archives(new ZipFile("names.zip"), new File("folder"));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    void scripts(String text) throws Exception {
        JexlEngine jexl = null;
        jexl.createExpression(new JexlInfo("here", 0, 0), text); // found code-injection
        jexl.getProperty(this, text); // found code-injection
        ClientSession session = null;
        session.createExecChannel(text); // found command-injection
        jexl.getProperty(text, "name");
        jexl.setProperty(this, text, "value"); // found code-injection
        jexl.setProperty(this, "name", text);
        new ExpressionCompiler(text); // found code-injection
        Ognl.compileExpression(null, this, text); // found code-injection
        new Template("name", "source", new StringReader(text), new Configuration(), "UTF-8"); // found code-injection
        new Template("name", text, new StringReader(""), new Configuration(), "UTF-8");
        CompilationUnit unit = new CompilationUnit();
        unit.addSource("name", text); // found code-injection
        unit.addSource(text, "code");
        unit.addSource(SourceUnit.create("name", text)); // found code-injection
        unit.addSource(SourceUnit.create(text, "code"));
        XsltCompiler xslt = null;
        xslt.loadLibraryPackage(new URI(text)); // found code-injection
        DocumentHelper.createPattern(text); // found xpath-injection
        DocumentHelper.sort(List.of(), text); // found xpath-injection
    }

    void names(String text) throws NamingException {
        Name name = new CompositeName().add(text);
        new InitialContext().lookup(name); // found jndi-injection
        Name fixed = new CompositeName().add("fixed");
        new InitialContext().lookup(fixed);
        InitialDirContext directory = new InitialDirContext();
        LdapName all = new LdapName("ou=all");
        all.addAll(new LdapName("ou=" + text));
        directory.search(all, "(uid=x)", new SearchControls()); // found ldap-injection
        directory.search(new LdapName(List.of(new Rdn("ou=" + text))), "(uid=x)", new SearchControls()); // found ldap-injection
        directory.search(new LdapName(List.of(new Rdn("ou", text))), "(uid=x)", new SearchControls());
        LdapTemplate template = new LdapTemplate();
        template.find(LdapNameBuilder.newInstance().add(text).build(), null, null, null); // found ldap-injection
        template.find(LdapNameBuilder.newInstance().add("ou", text).build(), new EqualsFilter("uid", text), null, null);
    }

    void connections(String text) throws Exception {
        new HikariConfig().setJdbcUrl(text); // found request-forgery
        new HikariConfig().setUsername(text);
        new HikariConfig().setJdbcUrl(System.getenv("DATABASE"));
        DataSourceBuilder.create().username(text).url("jdbc:h2:mem:x");
        DataSourceBuilder.create().url(text); // found request-forgery
        new RequestEntity<String>(HttpMethod.GET, new URI(text)); // found request-forgery
        new RequestEntity<String>(text, HttpMethod.GET, new URI("https://example.com/"));
    }

    void documents(HttpServletRequest request) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        Document document = factory.newDocumentBuilder().parse(request.getInputStream());
        Runtime.getRuntime().exec(document.getDocumentElement().getTextContent()); // found command-injection
    }

    void archives(ZipFile archive, File folder) throws IOException {
        for (Enumeration<? extends ZipEntry> entries = archive.entries(); entries.hasMoreElements();) {
            File file = new File(folder, entries.nextElement().getName());
            new FileOutputStream(file).close(); // found path-injection
            if (!file.getCanonicalPath().startsWith(folder.getCanonicalPath() + File.separator)) {
                throw new IOException("outside");
            }
            new FileOutputStream(file).close();
        }
    }
}
