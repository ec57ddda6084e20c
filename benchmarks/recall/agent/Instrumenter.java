import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/**
 * Makes code that tells the recorder of its methods, calls and allocations.
 *
 * Bridges and other methods that javac adds tell nothing, so that a call of one counts as a call of what it calls.
 */
final class Instrumenter extends ClassVisitor {
    private static final int API = Opcodes.ASM8;
    private static final String RECORDER = "Recorder";

    private String class_;
    private String file = "";

    private Instrumenter(ClassVisitor next) {
        super(API, next);
    }

    static byte[] instrumented(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new Instrumenter(writer), 0);
        return writer.toByteArray();
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superclass, String[] interfaces) {
        class_ = name;
        super.visit(version, access, name, signature, superclass, interfaces);
    }

    @Override
    public void visitSource(String source, String debug) {
        file = source == null ? "" : source;
        super.visitSource(source, debug);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, thrown);
        boolean ofJavac = (access & Opcodes.ACC_SYNTHETIC) != 0 && !name.startsWith("lambda$");
        return next == null || ofJavac ? next : new Body(next, name, descriptor);
    }

    private final class Body extends MethodVisitor {
        private final String name;
        private final String description;
        private final int method;
        private int line;
        private int first = Integer.MAX_VALUE;
        private int last;

        Body(MethodVisitor next, String name, String descriptor) {
            super(API, next);
            this.name = name;
            description = String.join("\t", class_, name, descriptor, file);
            method = Recorder.method(description + "\t0\t0");
        }

        @Override
        public void visitCode() {
            super.visitCode();
            tell(name.equals("<clinit>") ? "initialising" : "entered", method);
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
            first = Math.min(first, number);
            last = Math.max(last, number);
            super.visitLineNumber(number, start);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String called, String descriptor, boolean ofInterface) {
            call(owner, called, descriptor, ofInterface);
            super.visitMethodInsn(opcode, owner, called, descriptor, ofInterface);
            tell("returned");
        }

        @Override
        public void visitInvokeDynamicInsn(String called, String descriptor, Handle bootstrap, Object... arguments) {
            call(bootstrap.getOwner(), bootstrap.getName(), descriptor, false);
            super.visitInvokeDynamicInsn(called, descriptor, bootstrap, arguments);
            tell("returned");
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            super.visitTypeInsn(opcode, type);
            if (opcode == Opcodes.NEW) {
                tell("allocated", Recorder.allocation(method + "\t" + line + "\t" + type));
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.RETURN && name.equals("<clinit>")) {
                tell("initialised");
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitEnd() {
            Recorder.describe(method, description + "\t" + Math.min(first, last) + "\t" + last);
            super.visitEnd();
        }

        private void call(String owner, String called, String descriptor, boolean ofInterface) {
            tell("calling", Recorder.site(String.join("\t", Integer.toString(method), Integer.toString(line),
                owner, called, descriptor, ofInterface ? "interface" : "class")));
        }

        private void tell(String what, int number) {
            super.visitLdcInsn(number);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, RECORDER, what, "(I)V", false);
        }

        private void tell(String what) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, RECORDER, what, "()V", false);
        }
    }
}
