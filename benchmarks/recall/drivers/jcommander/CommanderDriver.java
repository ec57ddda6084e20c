import com.beust.jcommander.DynamicParameter;
import com.beust.jcommander.IParameterValidator;
import com.beust.jcommander.IStringConverter;
import com.beust.jcommander.IStringConverterFactory;
import com.beust.jcommander.JCommander;
import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParameterException;
import com.beust.jcommander.Parameters;
import com.beust.jcommander.ParametersDelegate;
import com.beust.jcommander.converters.CommaParameterSplitter;
import com.beust.jcommander.converters.FileConverter;
import com.beust.jcommander.converters.IParameterSplitter;
import com.beust.jcommander.converters.URIConverter;
import com.beust.jcommander.validators.PositiveInteger;
import java.io.File;
import java.math.BigDecimal;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parses command lines into beans with parameters of most types, commands and defaults, and prints what they are for. */
final class CommanderDriver {
    enum Level { LOW, HIGH }

    static final class Point {
        final int x;

        Point(int x) {
            this.x = x;
        }
    }

    static final class PointConverter implements IStringConverter<Point> {
        @Override
        public Point convert(String value) {
            return new Point(value.length());
        }
    }

    static final class Points implements IStringConverterFactory {
        @Override
        @SuppressWarnings("unchecked")
        public <T> Class<? extends IStringConverter<T>> getConverter(Class<T> type) {
            return type == Point.class ? (Class<? extends IStringConverter<T>>) (Class<?>) PointConverter.class : null;
        }
    }

    public static final class Even implements IParameterValidator {
        @Override
        public void validate(String name, String value) {
            if (Integer.parseInt(value) % 2 != 0) {
                throw new ParameterException(name + " is odd");
            }
        }
    }

    public static final class BySemicolon implements IParameterSplitter {
        @Override
        public List<String> split(String value) {
            return Arrays.asList(value.split(";"));
        }
    }

    static final class Shared {
        @Parameter(names = "--shared") String shared;
    }

    static final class Bean {
        @Parameter(description = "what is left") List<String> rest = new ArrayList<>();
        @Parameter(names = {"-n", "--number"}, description = "a number", validateWith = PositiveInteger.class) int number;
        @Parameter(names = "-e", validateWith = Even.class) int even = 2;
        @Parameter(names = "-l") long big;
        @Parameter(names = "-d") double real;
        @Parameter(names = "-b") BigDecimal exact;
        @Parameter(names = "-v", description = "tells more") boolean verbose;
        @Parameter(names = "-k") Level level = Level.LOW;
        @Parameter(names = "-f", converter = FileConverter.class) File file;
        @Parameter(names = "-u", converter = URIConverter.class) URI uri;
        @Parameter(names = "-w", splitter = CommaParameterSplitter.class) List<String> words;
        @Parameter(names = "-i", splitter = BySemicolon.class) List<Integer> numbers;
        @Parameter(names = "-s") Set<String> set;
        @Parameter(names = "-p") Point point;
        @Parameter(names = "--two", arity = 2) List<String> two;
        @Parameter(names = "--help", help = true) boolean help;
        @DynamicParameter(names = "-D", description = "properties") Map<String, String> dynamic = new HashMap<>();
        @ParametersDelegate Shared shared = new Shared();
        String text;

        @Parameter(names = "-t")
        void setText(String text) {
            this.text = text;
        }
    }

    @Parameters(commandNames = "add", commandDescription = "adds", separators = "=")
    static final class Add {
        @Parameter(required = true) List<String> what = new ArrayList<>();
        @Parameter(names = "--force") boolean force;
    }

    public static void main(String[] args) throws Exception {
        Bean bean = new Bean();
        JCommander commander = new JCommander(bean);
        commander.setProgramName("tool");
        commander.addConverterFactory(new Points());
        commander.setDefaultProvider(name -> name.equals("-n") ? "4" : null);
        commander.parse("-n", "3", "-e", "4", "-l", "5", "-d", "1.5", "-b", "2.5", "-v", "-k", "HIGH", "-f", "a", "-u", "urn:x",
            "-w", "a,b", "-i", "1;2", "-s", "x", "-p", "abc", "--two", "a", "b", "-Dx=y", "--shared", "z", "-t", "text", "one");
        JCommander again = new JCommander(new Bean());
        Add add = new Add();
        again.addCommand(add);
        again.addCommand("none", new Shared(), "no");
        again.parse("add", "--force", "this");
        again.getParsedCommand().length();
        StringBuilder usage = new StringBuilder();
        commander.usage(usage);
        again.usage("add");
        again.usage();
        for (String wrong : new String[] {"-q", "-n -1", "-e 3", "-k NONE", "-n", "--two a", "-l x", "unknown -n"}) {
            try {
                JCommander failing = new JCommander(new Bean());
                failing.setAllowAbbreviatedOptions(true);
                failing.setCaseSensitiveOptions(false);
                failing.parse(wrong.split(" "));
            } catch (ParameterException error) {
                error.getMessage();
            }
        }
    }
}
