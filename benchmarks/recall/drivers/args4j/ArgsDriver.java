import java.io.File;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.kohsuke.args4j.Argument;
import org.kohsuke.args4j.ClassParser;
import org.kohsuke.args4j.CmdLineException;
import org.kohsuke.args4j.CmdLineParser;
import org.kohsuke.args4j.Option;
import org.kohsuke.args4j.OptionHandlerFilter;
import org.kohsuke.args4j.ParserProperties;
import org.kohsuke.args4j.XmlParser;
import org.kohsuke.args4j.spi.ExplicitBooleanOptionHandler;
import org.kohsuke.args4j.spi.MapOptionHandler;
import org.kohsuke.args4j.spi.StringArrayOptionHandler;
import org.kohsuke.args4j.spi.SubCommand;
import org.kohsuke.args4j.spi.SubCommandHandler;
import org.kohsuke.args4j.spi.SubCommands;

/** Parses command lines into beans with options of most types, and prints what they are for. */
public final class ArgsDriver {
    enum Level { LOW, HIGH }

    public static class Common {
        @Option(name = "-v", aliases = "--verbose", usage = "tells more")
        boolean verbose;
    }

    static final class Bean extends Common {
        @Option(name = "-n", metaVar = "N", usage = "a number", required = true) int number;
        @Option(name = "-l") long big;
        @Option(name = "-d") double real;
        @Option(name = "-f") float single;
        @Option(name = "-b") byte tiny;
        @Option(name = "-h") short small;
        @Option(name = "-c") char sign;
        @Option(name = "-k", usage = "how much") Level level = Level.LOW;
        @Option(name = "-o") File out;
        @Option(name = "-u") URI place;
        @Option(name = "-i") InetAddress host;
        @Option(name = "-p") Pattern pattern;
        @Option(name = "-w", handler = StringArrayOptionHandler.class) String[] words;
        @Option(name = "-e", handler = ExplicitBooleanOptionHandler.class) boolean explicit;
        @Option(name = "-m", handler = MapOptionHandler.class) Map<String, String> map;
        @Option(name = "-x", hidden = true, depends = "-n", forbids = "-y") String hidden;
        @Option(name = "-y") String other;
        @Argument(usage = "what is left") List<String> rest = new ArrayList<>();
        String set;

        @Option(name = "-s", usage = "by a method")
        void setText(String text) {
            set = text;
        }
    }

    public static final class Add {
        @Argument String what;
    }

    static final class Tool {
        @Argument(handler = SubCommandHandler.class, required = true)
        @SubCommands({@SubCommand(name = "add", impl = Add.class), @SubCommand(name = "none", impl = Common.class)})
        Object command;
    }

    static final class Plain {
        public String name;
        public int count;
    }

    public static void main(String[] args) throws Exception {
        Bean bean = new Bean();
        CmdLineParser parser = new CmdLineParser(bean, ParserProperties.defaults().withUsageWidth(60).withAtSyntax(false));
        parser.parseArgument("-v -n 1 -l 2 -d 3.5 -f 1.5 -b 1 -h 2 -c x -k HIGH -o a -u urn:x -i 127.0.0.1 -p a*b -e yes".split(" "));
        parser = new CmdLineParser(bean);
        parser.parseArgument("-n", "2", "-m", "a=b", "-s", "text", "-x", "y", "one", "two");
        new CmdLineParser(bean).parseArgument("-n", "2", "-w", "a", "b");
        parser.printUsage(System.err);
        parser.printUsage(new StringWriter(), null, OptionHandlerFilter.ALL);
        parser.printExample(OptionHandlerFilter.REQUIRED);
        for (String wrong : new String[] {"-q", "-n x", "-n 1 -k NONE", "", "-n 1 -x a -y b", "-n 1 -i", "-n 1 -c xy"}) {
            try {
                new CmdLineParser(new Bean()).parseArgument(wrong.split(" "));
            } catch (CmdLineException error) {
                error.getMessage();
                error.getLocalizedMessage();
            }
        }
        new CmdLineParser(new Tool()).parseArgument("add", "this");
        Plain plain = new Plain();
        CmdLineParser own = new CmdLineParser(plain);
        String config = "<args><option field='name' name='-name' usage='x'/><option field='count' name='-c'/></args>";
        new XmlParser().parse(new org.xml.sax.InputSource(new java.io.StringReader(config)), own, plain);
        own.parseArgument("-name", "a", "-c", "2");
        new ClassParser().parse(new Common(), own);
    }
}
