import java.io.*;
class Exceptions {
  int nested(InputStream in) throws IOException {
    for (;;) {
      try {
        try { in.read(); } catch (EOFException | RuntimeException e) { continue; }
        if (in == null) break;
        return in.available();
      } finally { in.close(); }
    }
    return -1;
  }
  void resources(String name) {
    try (Reader a = new FileReader(name); var b = open(a)) { b.use(); } catch (IOException e) { throw new Error(e); }
  }
  static Exceptions open(Reader r) { return null; }
  void use() { try { use(); } finally { return; } }
}
