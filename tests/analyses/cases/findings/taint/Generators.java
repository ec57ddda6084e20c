import cn.hutool.core.util.RandomUtil;
import java.security.SecureRandom;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import javax.crypto.spec.IvParameterSpec;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.commons.lang3.RandomStringUtils;

public class Generators extends HttpServlet {
    private static final char[] SIGNS = "abcdef".toCharArray();
    private final Random random = new Random();
    private final Random secure = new SecureRandom();
    private String apiKey;
    private int delay;

    public static void main(String[] args) {
        new Generators().doGet(null, null);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        float drawn = new Random().nextFloat(); // found predictable-random
        String key = Float.toString(drawn).substring(2);
        Cookie first = new Cookie("first", key);
        first.setSecure(request.isSecure());
        response.addCookie(first);

        Cookie second = new Cookie("second", request.getSession().getId());
        second.setSecure(false);
        response.addCookie(second); // found insecure-cookie
        Cookie third = new Cookie("third", request.getSession().getId());
        response.addCookie(third); // found insecure-cookie
        Cookie gone = new Cookie("gone", "");
        gone.setMaxAge(0);
        response.addCookie(gone);

        byte[] bytes = new byte[16];
        random.nextBytes(bytes); // found predictable-random
        new IvParameterSpec(bytes);
        byte[] better = new byte[16];
        secure.nextBytes(better);
        new IvParameterSpec(better);

        String token = "t" + Math.random(); // found predictable-random
        apiKey = Long.toHexString(ThreadLocalRandom.current().nextLong()); // found predictable-random
        apiKey = RandomStringUtils.randomAlphanumeric(20); // found predictable-random
        apiKey = RandomUtil.randomString(20); // found predictable-random
        apiKey = RandomStringUtils.random(20, 0, 0, true, true, null, new SecureRandom());
        apiKey = RandomStringUtils.secure().nextAlphanumeric(20);
        delay = random.nextInt(1000);
        String colour = "c" + random.nextInt(7);
        String resetToken = "r" + secure.nextLong();
        response.setHeader("x", token + colour + resetToken + createPassword() + pick() + drawnCode() + resetToken());
    }

    private String createPassword() {
        StringBuilder made = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            made.append(SIGNS[random.nextInt(SIGNS.length)]); // found predictable-random
        }
        return made.toString();
    }

    private String pick() {
        return "p" + random.nextInt(3);
    }

    private String resetToken() {
        return String.format("%06d", random.nextInt(1_000_000)); // found predictable-random
    }

    private String drawnCode() {
        String verificationCode = String.format("%04d", random.nextInt(10000)); // found predictable-random
        return verificationCode;
    }
}
