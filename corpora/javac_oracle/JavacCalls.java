import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Writes every call of a set of source files with the method that javac chose for it.
 *
 * <p>Usage: {@code java JavacCalls.java ROOT LIST OUT ENCODING [javac options]}; LIST is a file with one path (relative to ROOT)
 * per line. OUT gets tab-separated rows: path, line, column, kind, name, method (empty where javac could not tell),
 * and {@code 1} where a source file of the set declares that method.
 */
public final class JavacCalls {
    private final Path root;
    private final Trees trees;
    private final Types types;
    private final Elements elements;
    private final Set<Element> declared = new HashSet<>();

    private JavacCalls(Path root, JavacTask task) {
        this.root = root;
        this.trees = Trees.instance(task);
        this.types = task.getTypes();
        this.elements = task.getElements();
    }

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        List<Path> files = Files.readAllLines(Path.of(arguments[1])).stream().map(root::resolve).collect(Collectors.toList());
        List<String> options = new ArrayList<>(List.of(
            "-proc:none", "-nowarn", "-implicit:none", "-Xmaxerrs", "1000000",
            "-XDshould-stop.ifError=ATTR", "-XDshould-stop.ifNoError=ATTR"));
        for (int i = 4; i < arguments.length; i++) {
            options.add(arguments[i]);
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        StandardJavaFileManager manager = compiler.getStandardFileManager(problems, null, Charset.forName(arguments[3]));
        JavacTask task = (JavacTask) compiler.getTask(null, manager, problems, options, null, manager.getJavaFileObjectsFromPaths(files));
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        JavacCalls oracle = new JavacCalls(root, task);
        units.forEach(unit -> oracle.new Declarations().scan(unit, null));
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[2]), StandardCharsets.UTF_8))) {
            for (CompilationUnitTree unit : units) {
                oracle.new Calls(unit, out).scan(unit, null);
            }
        }
        long errors = problems.getDiagnostics().stream().filter(d -> d.getKind() == javax.tools.Diagnostic.Kind.ERROR).count();
        System.err.println(units.size() + " files, " + errors + " errors of javac");
        problems.getDiagnostics().stream().limit(Integer.getInteger("problems", 0)).forEach(System.err::println);
    }

    /** Collects the types that the given files declare. */
    private final class Declarations extends TreePathScanner<Void, Void> {
        @Override
        public Void visitClass(ClassTree tree, Void nothing) {
            Element element = trees.getElement(getCurrentPath());
            if (element != null) {
                declared.add(element);
            }
            return super.visitClass(tree, nothing);
        }
    }

    /** Writes the calls of one file. */
    private final class Calls extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final PrintWriter out;
        private final String text;
        private final String path;

        Calls(CompilationUnitTree unit, PrintWriter out) {
            this.unit = unit;
            this.out = out;
            try {
                this.text = unit.getSourceFile().getCharContent(true).toString();
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
            this.path = root.toUri().relativize(unit.getSourceFile().toUri()).getPath();
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
            ExpressionTree select = tree.getMethodSelect();
            String name = select instanceof MemberSelectTree
                ? ((MemberSelectTree) select).getIdentifier().toString()
                : ((IdentifierTree) select).getName().toString();
            boolean constructor = name.equals("this") || name.equals("super");
            write(tree, end(select) - name.length(), constructor ? "constructor" : "call", name, getCurrentPath());
            return super.visitMethodInvocation(tree, nothing);
        }

        @Override
        public Void visitNewClass(NewClassTree tree, Void nothing) {
            TreePath path = getCurrentPath();
            Tree parent = path.getParentPath().getLeaf();
            boolean constant = parent instanceof VariableTree && isEnumConstant(path.getParentPath());
            int start = constant ? nameOf((VariableTree) parent) : keyword(tree);
            String name = constant ? ((VariableTree) parent).getName().toString() : "new " + named(tree.getIdentifier());
            write(tree, start, constant ? "constant" : tree.getClassBody() == null ? "new" : "anonymous", name, path);
            return super.visitNewClass(tree, nothing);
        }

        @Override
        public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
            boolean constructor = tree.getMode() == MemberReferenceTree.ReferenceMode.NEW;
            String name = constructor ? "new" : tree.getName().toString();
            Element element = trees.getElement(getCurrentPath());
            boolean ofArray = constructor && element != null && element.getEnclosingElement().getSimpleName().contentEquals("Array");
            if (!ofArray) {   // `int[]::new` names no method
                write(tree, end(tree) - name.length(), "reference", name, getCurrentPath());
            }
            return super.visitMemberReference(tree, nothing);
        }

        private void write(Tree tree, int start, String kind, String name, TreePath path) {
            if (end(tree) < 0) {   // javac's own addition: a default constructor, an implicit super()
                return;
            }
            if (start < 0) {   // the word is not found: it is written with Unicode escapes, or javac has mended the text
                return;
            }
            int line = (int) unit.getLineMap().getLineNumber(start);
            int column = text.codePointCount((int) unit.getLineMap().getStartPosition(line), start) + 1;
            Element element = trees.getElement(path);
            ExecutableElement method = element instanceof ExecutableElement ? general((ExecutableElement) element) : null;
            String target = method == null || guessed(tree, path, method) ? null : describe(method);
            boolean ours = target != null && declared.contains(method.getEnclosingElement());
            out.println(String.join("\t", this.path, Integer.toString(line), Integer.toString(column), kind, name,
                target == null ? "" : target, ours ? "1" : "0"));
        }

        /**
         * Whether javac has chosen among several methods without knowing the type of an argument, or the interface of a
         * method reference: it goes on after that error with whichever method comes first.
         */
        private boolean guessed(Tree tree, TreePath path, ExecutableElement method) {
            List<? extends ExpressionTree> given = tree instanceof MethodInvocationTree ? ((MethodInvocationTree) tree).getArguments()
                : tree instanceof NewClassTree ? ((NewClassTree) tree).getArguments() : List.of();
            boolean reference = tree instanceof MemberReferenceTree;
            return (reference ? unknown(path) : given.stream().anyMatch(argument -> unknown(new TreePath(path, argument))))
                && method.getEnclosingElement() instanceof TypeElement
                && elements.getAllMembers((TypeElement) method.getEnclosingElement()).stream()
                    .filter(other -> other instanceof ExecutableElement && other.getSimpleName().equals(method.getSimpleName()))
                    .map(other -> (ExecutableElement) other)
                    .anyMatch(other -> !other.equals(method)
                        && (reference || other.isVarArgs() || other.getParameters().size() == given.size()));
        }

        private boolean unknown(TreePath path) {
            TypeMirror type = trees.getTypeMirror(path);
            return type == null || type.getKind() == TypeKind.ERROR;
        }

        private int end(Tree tree) {
            return (int) trees.getSourcePositions().getEndPosition(unit, tree);
        }

        private boolean isEnumConstant(TreePath variable) {
            Element element = trees.getElement(variable);
            return element != null && element.getKind() == ElementKind.ENUM_CONSTANT;
        }

        /** Where an enum constant's name stands: javac's allocation starts at its arguments. */
        private int nameOf(VariableTree constant) {
            int arguments = (int) trees.getSourcePositions().getStartPosition(unit, constant.getInitializer());
            return text.lastIndexOf(constant.getName().toString(), arguments);
        }

        /** Where the word `new` of an allocation stands: before its type, after a qualifying expression. */
        private int keyword(NewClassTree tree) {
            ExpressionTree qualifier = tree.getEnclosingExpression();
            int from = qualifier == null ? (int) trees.getSourcePositions().getStartPosition(unit, tree) : end(qualifier);
            return text.indexOf("new", Math.max(from, 0));
        }

        private String named(ExpressionTree type) {
            return type instanceof ParameterizedTypeTree ? ((ParameterizedTypeTree) type).getType().toString() : type.toString();
        }
    }

    /** The declared method behind one that javac makes up per call (those with a polymorphic signature). */
    private ExecutableElement general(ExecutableElement method) {
        Element owner = method.getEnclosingElement();
        if (!method.getModifiers().contains(Modifier.NATIVE) && !owner.toString().startsWith("java.lang.invoke.")) {
            return method;
        }
        List<? extends Element> members = owner.getEnclosedElements();
        if (members.contains(method)) {
            return method;
        }
        for (Element member : members) {
            if (member instanceof ExecutableElement && member.getSimpleName().equals(method.getSimpleName())) {
                return (ExecutableElement) member;
            }
        }
        return method;
    }

    /** {@code <a.b.C: ret name(T1,T2)>} with erased binary names, or null where a type in it is unknown. */
    private String describe(ExecutableElement method) {
        if (!(method.getEnclosingElement() instanceof TypeElement)) {
            return null;
        }
        boolean ofArray = method.getEnclosingElement().toString().equals("Array");
        String owner = ofArray ? "java.lang.Object" : elements.getBinaryName((TypeElement) method.getEnclosingElement()).toString();
        List<String> parameters = new ArrayList<>();
        for (Element parameter : method.getParameters()) {
            parameters.add(erased(parameter.asType()));
        }
        boolean constructor = method.getKind() == ElementKind.CONSTRUCTOR;
        String result = ofArray ? "java.lang.Object" : constructor ? "void" : erased(method.getReturnType());
        if (result == null || parameters.contains(null) || method.asType().getKind() == TypeKind.ERROR) {
            return null;
        }
        String name = constructor ? "<init>" : method.getSimpleName().toString();
        return "<" + owner + ": " + result + " " + name + "(" + String.join(",", parameters) + ")>";
    }

    private String erased(TypeMirror type) {
        TypeMirror plain = types.erasure(type);
        if (plain.getKind() == TypeKind.ERROR) {
            return null;
        }
        if (plain instanceof ArrayType) {
            String component = erased(((ArrayType) plain).getComponentType());
            return component == null ? null : component + "[]";
        }
        if (plain instanceof DeclaredType) {
            return elements.getBinaryName((TypeElement) ((DeclaredType) plain).asElement()).toString();
        }
        return plain.getKind().toString().toLowerCase(java.util.Locale.ROOT);
    }
}
