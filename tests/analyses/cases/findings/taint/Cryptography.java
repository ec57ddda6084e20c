import java.security.MessageDigest;
import java.security.Signature;
import java.util.Properties;
import javax.crypto.Cipher;
import javax.crypto.NullCipher;
import org.apache.commons.codec.digest.DigestUtils;

public class Cryptography {
    private static final String CIPHER = "RC4";
    private final String mode;

    Cryptography(String mode) {
        this.mode = mode;
    }

    public static void main(String[] args) throws Exception {
        Cipher.getInstance("DES/CBC/PKCS5Padding"); // found weak-cipher
        Cipher.getInstance("DESede"); // found weak-cipher
        Cipher.getInstance(CIPHER); // found weak-cipher
        Cipher.getInstance("AES"); // found weak-cipher
        Cipher.getInstance("AES/ECB/NoPadding"); // found weak-cipher
        Cipher.getInstance("AES/GCM/NoPadding");
        Cipher.getInstance("AES/CBC/PKCS5Padding");
        Cipher.getInstance("RSA/ECB/NoPadding"); // found weak-cipher
        Cipher.getInstance("RSA/ECB/PKCS1Padding"); // found weak-cipher
        Cipher.getInstance("RSA"); // found weak-cipher
        Cipher.getInstance("RSA/ECB/OAEPWithSHA-256AndMGF1Padding");
        Cipher.getInstance("ARC4"); // found weak-cipher
        new NullCipher(); // found weak-cipher
        Cipher.getInstance(args[0]);
        Signature.getInstance("SHA1withRSA"); // found weak-hash
        Signature.getInstance("SHA256withRSA");
        DigestUtils.getDigest("MD5").digest(args[0].getBytes()); // found weak-hash
        new Cryptography("Blowfish").open();
        made("RC2");
        made("AES/CTR/NoPadding");
        digests(args[1], args[2].getBytes());
        settings(new Properties());
    }

    void open() throws Exception {
        Cipher.getInstance(mode); // found weak-cipher
    }

    static Cipher made(String name) throws Exception {
        return Cipher.getInstance(name); // found weak-cipher
    }

    static void digests(String password, byte[] file) throws Exception {
        MessageDigest.getInstance("MD5").update(file); // found weak-hash
        MessageDigest.getInstance("SHA-1").digest(file); // found weak-hash
        MessageDigest.getInstance("SHA-256").digest(file);
        DigestUtils.md5Hex(file); // found weak-hash
        DigestUtils.sha256Hex(file);
        DigestUtils.sha1Hex(password); // found weak-hash
        hash(password);
    }

    static byte[] hash(String passwd) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("md5"); // found weak-hash
        digest.update(passwd.getBytes("UTF-8"));
        return digest.digest();
    }

    static void settings(Properties settings) throws Exception {
        String known = settings.getProperty("shop.cipher", "AES/GCM/NoPadding");
        Cipher.getInstance(known); // found weak-cipher
        Cipher.getInstance(settings.getProperty("shop.safe", "DES"));
        Cipher.getInstance(settings.getProperty("shop.unknown", "AES/GCM/NoPadding"));
    }
}
