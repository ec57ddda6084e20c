import java.net.Socket;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.springframework.security.crypto.password.NoOpPasswordEncoder;
import org.springframework.security.crypto.password.StandardPasswordEncoder;

public class Parameters {
    private static final byte[] KEY = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}; // found hard-coded-credential
    private static byte[] later;
    private final byte[] vector;
    private final String setting;

    Parameters(byte[] vector, String setting) {
        this.vector = vector;
        this.setting = setting;
    }

    public static void main(String[] args) throws Exception {
        SecretKey key = new SecretKeySpec(KEY, "AES");
        byte[] zeros = new byte[16]; // found constant-iv
        encrypt(key, zeros, args[0].getBytes());
        byte[] fresh = new byte[16];
        new SecureRandom().nextBytes(fresh);
        encrypt(key, fresh, args[0].getBytes());
        byte[] sent = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
        decrypt(key, sent, args[0].getBytes());
        new Parameters("sixteen letters.".getBytes(), args[1]).counter(key); // found constant-iv
        byte[] part = Arrays.copyOf(args[2].getBytes(), 12);
        new GCMParameterSpec(128, part);
        passwords(args[0].toCharArray(), fresh);
        keys();
        seeds(args[1]);
        later = new byte[] {(byte) 0xca, (byte) 0xfe}; // found constant-salt
        late(args[0].toCharArray());
        connections(args[2]);
        encoders();
        stores(args[0]);
    }

    static byte[] encrypt(SecretKey key, byte[] vector, byte[] text) throws Exception {
        Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
        cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(vector));
        return cipher.doFinal(text);
    }

    static byte[] decrypt(SecretKey key, byte[] vector, byte[] text) throws Exception {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, vector));
        return cipher.doFinal(text);
    }

    void counter(SecretKey key) throws Exception {
        Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(vector));
        cipher.doFinal(setting.getBytes());
    }

    static void passwords(char[] password, byte[] salt) {
        new PBEKeySpec(password, salt, 600000, 256);
        new PBEKeySpec(password, salt, 100, 256); // found weak-key
        new PBEKeySpec(password, salt, 1024, 256); // found weak-key
        new PBEKeySpec(password, "salt".getBytes(), 600000); // found constant-salt
    }

    static void late(char[] password) {
        new PBEKeySpec(password, later, 600000, 256);
    }

    static void keys() throws Exception {
        KeyPairGenerator pairs = KeyPairGenerator.getInstance("RSA");
        pairs.initialize(1024); // found weak-key
        pairs.initialize(3072);
        KeyPairGenerator exchange = KeyPairGenerator.getInstance("DH");
        exchange.initialize(1024); // found weak-key
        KeyPairGenerator curves = KeyPairGenerator.getInstance("EC");
        curves.initialize(256);
        curves.initialize(new ECGenParameterSpec("secp256r1"));
        curves.initialize(new ECGenParameterSpec("secp160r1")); // found weak-key
        KeyGenerator keys = KeyGenerator.getInstance("AES");
        keys.init(256);
        keys.init(64); // found weak-key
    }

    static void seeds(String text) throws Exception {
        new SecureRandom(new byte[] {1, 2, 3}).nextInt(); // found predictable-seed
        SecureRandom old = SecureRandom.getInstance("SHA1PRNG");
        old.setSeed(System.currentTimeMillis()); // found predictable-seed
        SecureRandom own = new SecureRandom();
        own.setSeed(4711L); // found predictable-seed
        own.setSeed(text.getBytes());
        own.setSeed(own.nextLong());
    }

    static void connections(String host) throws Exception {
        SSLContext.getInstance("TLSv1"); // found weak-protocol
        SSLContext.getInstance("SSL"); // found weak-protocol
        SSLContext.getInstance("TLSv1.3");
        SSLContext context = SSLContext.getInstance("TLS");
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(host, 443);
        socket.setEnabledProtocols(new String[] {"TLSv1.2", "TLSv1.1"}); // found weak-protocol
        socket.close();
    }

    static void encoders() {
        NoOpPasswordEncoder.getInstance(); // found weak-hash
        new StandardPasswordEncoder("server"); // found weak-hash
    }

    static void stores(String path) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(Parameters.class.getResourceAsStream(path), "changeit".toCharArray()); // found hard-coded-credential
    }
}
