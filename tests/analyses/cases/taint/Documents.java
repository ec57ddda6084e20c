package samples;

import java.io.*;
import javax.servlet.http.*;
import javax.xml.XMLConstants;
import javax.xml.bind.JAXBContext;
import javax.xml.bind.Unmarshaller;
import javax.xml.parsers.*;
import javax.xml.stream.XMLInputFactory;
import javax.xml.transform.*;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.sax.SAXSource;
import javax.xml.transform.stream.StreamSource;
import org.jdom2.input.SAXBuilder;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.xml.sax.XMLReader;

/** Documents from outside, and how parsers are kept from reading what they refer to. */
public class Documents extends HttpServlet {
    private DocumentBuilderFactory kept;

    @Override
    public void init() {
        kept = safe();
    }

    private static DocumentBuilderFactory safe() {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        secure(factory);
        return factory;
    }

    private static void secure(DocumentBuilderFactory factory) {
        try {
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        } catch (ParserConfigurationException thrown) {
            throw new IllegalStateException(thrown);
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            InputStream sent = request.getInputStream();
            DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
            Document document = builder.parse(sent); // found xml-external-entities
            builder.parse(new File("/etc/settings.xml"));
            builder.parse(new FileInputStream("/etc/settings.xml"));
            safe().newDocumentBuilder().parse(sent);
            kept.newDocumentBuilder().parse(sent);

            DocumentBuilderFactory allowed = DocumentBuilderFactory.newInstance();
            allowed.setFeature("http://apache.org/xml/features/disallow-doctype-decl", false);
            allowed.newDocumentBuilder().parse(sent); // found xml-external-entities

            DocumentBuilderFactory processed = DocumentBuilderFactory.newInstance();
            processed.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, Boolean.TRUE);
            processed.newDocumentBuilder().parse(sent);

            Unmarshaller bound = JAXBContext.newInstance(Documents.class).createUnmarshaller();
            SAXParserFactory parsers = SAXParserFactory.newInstance();
            parsers.setFeature("http://xml.org/sax/features/external-general-entities", false);
            XMLReader half = parsers.newSAXParser().getXMLReader();
            half.parse(new InputSource(sent)); // found xml-external-entities
            XMLReader reader = SAXParserFactory.newInstance().newSAXParser().getXMLReader();
            reader.setFeature("http://xml.org/sax/features/external-general-entities", false);
            reader.setFeature("http://xml.org/sax/features/external-parameter-entities", false);
            reader.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
            reader.parse(new InputSource(sent));
            XMLReader kept = SAXParserFactory.newInstance().newSAXParser().getXMLReader();
            kept.setFeature("http://xml.org/sax/features/external-general-entities", false);
            kept.setFeature("http://xml.org/sax/features/external-parameter-entities", false);
            bound.unmarshal(new SAXSource(kept, new InputSource(sent)));
            bound.unmarshal(new SAXSource(half, new InputSource(sent))); // found xml-external-entities
            bound.unmarshal(new StreamSource(sent));

            XMLInputFactory.newInstance().createXMLStreamReader(sent); // found xml-external-entities
            XMLInputFactory streams = XMLInputFactory.newInstance();
            streams.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            streams.createXMLStreamReader(sent);

            Transformer transformer = TransformerFactory.newInstance().newTransformer();
            transformer.transform(new StreamSource(sent), null); // found xml-external-entities
            transformer.transform(new DOMSource(document), null);
            TransformerFactory local = TransformerFactory.newInstance();
            local.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            local.newTransformer().transform(new StreamSource(sent), null);

            new CheckingBuilder("a.xsd").build(sent);
            new OpenBuilder().build(sent); // found xml-external-entities
        } catch (IOException thrown) {
            throw thrown;
        } catch (Exception thrown) {
            throw new IllegalStateException(thrown);
        }
    }
}

/** Builders of the program's own: what a constructor sets holds for those that call it, too. */
class KeptBuilder extends SAXBuilder {
    KeptBuilder() {
        this.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    }
}

class CheckingBuilder extends KeptBuilder {
    CheckingBuilder() {
        super();
        this.setFeature("http://apache.org/xml/features/validation/schema", true);
    }

    CheckingBuilder(String schema) {
        this();
        this.setProperty("http://apache.org/xml/properties/schema/external-noNamespaceSchemaLocation", schema);
    }
}

class OpenBuilder extends SAXBuilder {
    OpenBuilder() {
        super();
        this.setFeature("http://apache.org/xml/features/validation/schema", true);
    }
}
