import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Records which methods of some classes a program calls, from where, and what it allocates there.
 *
 * Options: {@code FOLDER OUTPUT}, with a line feed between them: the classes are those with class files in the folder,
 * and the records are written to the output when the program ends. The instrumented code is made by the copy of ASM in
 * JDK 17, which needs {@code --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED}.
 */
public final class Agent {
    private Agent() {
    }

    public static void premain(String options, Instrumentation instrumentation) throws IOException {
        Path folder = Path.of(options.substring(0, options.indexOf('\n')));
        Path output = Path.of(options.substring(options.indexOf('\n') + 1));
        Set<String> names = classesIn(folder);
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain,
                    byte[] bytes) {
                if (name == null || !names.contains(name)) {
                    return null;
                }
                try {
                    return Instrumenter.instrumented(bytes);
                } catch (RuntimeException | Error problem) {
                    System.err.println("recall: " + name + " is not instrumented: " + problem);
                    return null;
                }
            }
        });
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                Recorder.write(output);
            } catch (IOException problem) {
                System.err.println("recall: the records cannot be written: " + problem);
            }
        }));
    }

    private static Set<String> classesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> folder.relativize(file).toString().replace('\\', '/'))
                .filter(name -> name.endsWith(".class"))
                .map(name -> name.substring(0, name.length() - ".class".length()))
                .collect(Collectors.toSet());
        }
    }
}
