package samples;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import com.fasterxml.jackson.databind.jsontype.PolymorphicTypeValidator;
import com.fasterxml.jackson.databind.jsontype.impl.LaissezFaireSubTypeValidator;
import com.thoughtworks.xstream.XStream;
import com.thoughtworks.xstream.security.AnyTypePermission;
import com.thoughtworks.xstream.security.NoTypePermission;
import java.io.*;
import javax.servlet.http.*;
import javax.xml.parsers.*;
import javax.xml.xpath.*;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionParser;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Calls that may do less than usual: what sets them up says so. */
public class Restricted extends HttpServlet {
    private final Yaml yaml = new Yaml(new SafeConstructor());

    private final ObjectMapper mapper = new ObjectMapper();

    public Restricted() {
        mapper.enableDefaultTyping();
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String text = request.getParameter("text");
        new Yaml().load(text); // found unsafe-deserialization
        new Yaml(new SafeConstructor()).load(text);
        yaml.load(text);
        restricted().readClassAndObject(new Input(request.getInputStream()));
        new Kryo().readClassAndObject(new Input(request.getInputStream())); // found unsafe-deserialization
        mappers(text);
        streams(text);
        mapper.readValue(text, Object.class); // found unsafe-deserialization
        expressions(text);
        documents(request);
        try {
            objects(request);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    void mappers(String text) throws IOException {
        new ObjectMapper().readValue(text, Object.class);
        ObjectMapper typing = new ObjectMapper();
        typing.enableDefaultTyping();
        typing.readValue(text, Object.class); // found unsafe-deserialization
        ObjectMapper lenient = new ObjectMapper();
        lenient.activateDefaultTyping(LaissezFaireSubTypeValidator.instance, ObjectMapper.DefaultTyping.NON_FINAL);
        lenient.readValue(text, Object.class); // found unsafe-deserialization
        ObjectMapper validating = new ObjectMapper();
        validating.setPolymorphicTypeValidator(BasicPolymorphicTypeValidator.builder().build());
        validating.enableDefaultTyping();
        validating.readValue(text, Object.class);
        PolymorphicTypeValidator validator = BasicPolymorphicTypeValidator.builder().build();
        ObjectMapper built = JsonMapper.builder().polymorphicTypeValidator(validator).build();
        built.enableDefaultTyping();
        built.readValue(text, Object.class);
    }

    void streams(String text) {
        new XStream().fromXML(text); // found unsafe-deserialization
        XStream few = new XStream();
        few.addPermission(NoTypePermission.NONE);
        few.fromXML(text);
        XStream usual = new XStream();
        XStream.setupDefaultSecurity(usual);
        usual.fromXML(text);
        XStream every = new XStream();
        every.addPermission(NoTypePermission.NONE);
        every.addPermission(AnyTypePermission.ANY);
        every.fromXML(text); // found unsafe-deserialization
    }

    Kryo restricted() {
        Kryo kryo = new Kryo();
        kryo.setRegistrationRequired(true);
        return kryo;
    }

    void expressions(String text) {
        ExpressionParser parser = new SpelExpressionParser();
        parser.parseExpression(text).getValue(); // found code-injection
        Expression free = parser.parseExpression(text); // found code-injection
        free.getValue(new StandardEvaluationContext());
        EvaluationContext simple = SimpleEvaluationContext.forReadOnlyDataBinding().build();
        Expression expression = parser.parseExpression(text);
        expression.getValue(simple);
        Expression both = parser.parseExpression(text); // found code-injection
        both.getValue(simple);
        both.getValue();
    }

    void documents(HttpServletRequest request) {
        try {
            DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
            Document document = builder.parse(request.getInputStream()); // found xml-external-entities
            XPath path = XPathFactory.newInstance().newXPath();
            path.evaluate("/a", document);
            path.evaluate("/a", new InputSource(request.getInputStream())); // found xml-external-entities
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    void objects(HttpServletRequest request) throws IOException, ClassNotFoundException {
        new ObjectInputStream(request.getInputStream()).readObject(); // found unsafe-deserialization
        ObjectInputStream filtered = new ObjectInputStream(request.getInputStream());
        filtered.setObjectInputFilter(ObjectInputFilter.Config.createFilter("samples.*;!*"));
        filtered.readObject();
        Refusing refusing = new Refusing(request.getInputStream());
        refusing.readObject();
        new Loading(request.getInputStream()).readObject(); // found unsafe-deserialization
        try (ObjectInputStream in = new ObjectInputStream(request.getInputStream()) {
            @Override
            protected Class<?> resolveClass(ObjectStreamClass of) throws IOException, ClassNotFoundException {
                if (!of.getName().equals("samples.Known")) {
                    throw new InvalidClassException(of.getName());
                }
                return super.resolveClass(of);
            }
        }) {
            in.readObject();
        }
        ObjectInputStream some = new Refusing(request.getInputStream());
        if (request.getContentLength() > 9) {
            some = new ObjectInputStream(request.getInputStream());
        }
        some.readObject(); // found unsafe-deserialization
    }
}

class Refusing extends ObjectInputStream {
    Refusing(InputStream in) throws IOException {
        super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass of) throws IOException, ClassNotFoundException {
        if (!of.getName().equals("samples.Known")) {
            throw new InvalidClassException(of.getName());
        }
        return super.resolveClass(of);
    }
}

class Loading extends ObjectInputStream {
    Loading(InputStream in) throws IOException {
        super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass of) throws IOException, ClassNotFoundException {
        return Class.forName(of.getName());
    }
}
