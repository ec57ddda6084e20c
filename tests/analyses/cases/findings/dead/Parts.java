package shop;

import java.io.DataInput;
import java.io.IOException;
import java.util.ResourceBundle;

/** What a library finds by a name that it is given as a text, and what an interface of the library has a class have. */
class Parts {
    static void load() throws IOException {
        ResourceBundle.getBundle("shop.ByName");
        System.out.println(new Numbered(null).readInt());
    }
}

class ByName {
    public int size() {
        return 1;
    }

    private int hidden() { // found unused-method
        return 2;
    }
}

class NotByName { // found unused-type
    public int size() {
        return 1;
    }
}

abstract class Half implements DataInput {
    @Override
    public boolean readBoolean() throws IOException {
        return readInt() != 0;
    }

    public byte half() { // found unused-method
        return 1;
    }
}

class Numbered extends Half {
    private final DataInput in;

    Numbered(DataInput in) {
        this.in = in;
    }

    @Override
    public void readFully(byte[] bytes) throws IOException {
        in.readFully(bytes);
    }

    @Override
    public void readFully(byte[] bytes, int from, int count) throws IOException {
        in.readFully(bytes, from, count);
    }

    @Override
    public int skipBytes(int count) throws IOException {
        return in.skipBytes(count);
    }

    @Override
    public byte readByte() throws IOException {
        return in.readByte();
    }

    @Override
    public int readUnsignedByte() throws IOException {
        return in.readUnsignedByte();
    }

    @Override
    public short readShort() throws IOException {
        return in.readShort();
    }

    @Override
    public int readUnsignedShort() throws IOException {
        return in.readUnsignedShort();
    }

    @Override
    public char readChar() throws IOException {
        return in.readChar();
    }

    @Override
    public int readInt() throws IOException {
        return 1;
    }

    @Override
    public long readLong() throws IOException {
        return in.readLong();
    }

    @Override
    public float readFloat() throws IOException {
        return in.readFloat();
    }

    @Override
    public double readDouble() throws IOException {
        return in.readDouble();
    }

    @Override
    public String readLine() throws IOException {
        return in.readLine();
    }

    @Override
    public String readUTF() throws IOException {
        return in.readUTF();
    }
}
