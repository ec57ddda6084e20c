import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.apache.commons.codec.StringEncoder;
import org.apache.commons.codec.binary.Base32;
import org.apache.commons.codec.binary.Base64;
import org.apache.commons.codec.binary.Base64InputStream;
import org.apache.commons.codec.binary.BinaryCodec;
import org.apache.commons.codec.binary.Hex;
import org.apache.commons.codec.digest.Crypt;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.codec.digest.HmacUtils;
import org.apache.commons.codec.digest.MurmurHash3;
import org.apache.commons.codec.language.Caverphone2;
import org.apache.commons.codec.language.ColognePhonetic;
import org.apache.commons.codec.language.DoubleMetaphone;
import org.apache.commons.codec.language.MatchRatingApproachEncoder;
import org.apache.commons.codec.language.Metaphone;
import org.apache.commons.codec.language.Nysiis;
import org.apache.commons.codec.language.RefinedSoundex;
import org.apache.commons.codec.language.Soundex;
import org.apache.commons.codec.language.bm.BeiderMorseEncoder;
import org.apache.commons.codec.net.PercentCodec;
import org.apache.commons.codec.net.QCodec;
import org.apache.commons.codec.net.QuotedPrintableCodec;
import org.apache.commons.codec.net.URLCodec;

/** Encodes, decodes and hashes. */
final class CodecDriver {
    public static void main(String[] args) throws Exception {
        byte[] bytes = "Grüße, Schmidt".getBytes(StandardCharsets.UTF_8);
        new Base64(8, new byte[] {'\n'}, true).decode(Base64.encodeBase64Chunked(bytes));
        new Base32(true).decode(new Base32().encodeToString(bytes));
        new Base64InputStream(new ByteArrayInputStream(Base64.encodeBase64(bytes))).read(new byte[9]);
        Hex.decodeHex(Hex.encodeHexString(bytes));
        new BinaryCodec().toByteArray(BinaryCodec.toAsciiString(bytes));
        new URLCodec().decode(new URLCodec().encode("a b&c"));
        new QuotedPrintableCodec(true).decode(new QuotedPrintableCodec().encode("é=x"));
        new QCodec().decode(new QCodec().encode("é x"));
        new PercentCodec("ab".getBytes(), true).decode(new PercentCodec().encode(bytes));
        DigestUtils.sha256Hex(new ByteArrayInputStream(bytes));
        new DigestUtils("MD5").digestAsHex(bytes);
        new HmacUtils("HmacSHA1", "key").hmacHex("text");
        MurmurHash3.hash128x64(bytes);
        Crypt.crypt("secret", "$6$saltsalt");
        Crypt.crypt("secret", "$1$saltsalt");
        for (StringEncoder encoder : new StringEncoder[] {new Soundex(), new RefinedSoundex(), new Metaphone(),
            new DoubleMetaphone(), new Nysiis(), new Caverphone2(), new ColognePhonetic(), new MatchRatingApproachEncoder(),
            new BeiderMorseEncoder()}) {
            encoder.encode("Schmidt");
            encoder.encode((Object) "Thompson");
        }
        new DoubleMetaphone().isDoubleMetaphoneEqual("a", "b");
        new MatchRatingApproachEncoder().isEncodeEquals("Byrne", "Boern");
        new Soundex().difference("Smith", "Smythe");
    }
}
