import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Feeds a player and a deposit, reads the player's chances, draws, and asks until the prize is paid.
 * Java 17 or newer, no dependency.
 *
 * <pre>RED_URL=http://127.0.0.1:8080 RED_KEY=rk_... RED_SECRET=... java Draw.java [PLAYER_ID]</pre>
 */
public class Draw {
  private static final String BASE = environment("RED_URL", "http://127.0.0.1:8080");
  private static final String KEY = environment("RED_KEY", null);
  private static final String SECRET = environment("RED_SECRET", null);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();
  // The terminal's character set may be another one than the texts'.
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  record Answer(int status, String text) {}

  private static String environment(String name, String otherwise) {
    String value = System.getenv(name);
    if (value == null && otherwise == null) {
      throw new IllegalStateException("set " + name + " to what redctl printed");
    }
    return value == null ? otherwise : value;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static String signature(String timestamp, String nonce, String method, String path, byte[] body)
      throws GeneralSecurityException {
    String hash = hex(MessageDigest.getInstance("SHA-256").digest(body));
    String text = String.join(".", timestamp, nonce, method, path, hash);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    return hex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** One attempt, with a timestamp, a nonce and a signature of its own. */
  private static Answer attempt(String method, String path, byte[] body)
      throws GeneralSecurityException, IOException, InterruptedException {
    String timestamp = Long.toString(Instant.now().getEpochSecond());
    String nonce = UUID.randomUUID().toString();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(BASE + path))
            .timeout(Duration.ofSeconds(30))
            .header("X-Key", KEY)
            .header("X-Timestamp", timestamp)
            .header("X-Nonce", nonce)
            .header("X-Signature", signature(timestamp, nonce, method, path, body))
            .header("Accept-Language", "en");
    if (body.length > 0) {
      request.header("Content-Type", "application/json");
      request.method(method, BodyPublishers.ofByteArray(body));
    } else {
      request.method(method, BodyPublishers.noBody());
    }
    HttpResponse<String> response =
        CLIENT.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
    return new Answer(response.statusCode(), response.body());
  }

  /** Repeats the call as it is while there is no answer, an overload or a fault of the other side. */
  private static Answer call(String method, String path, String content) throws Exception {
    byte[] body = content.getBytes(StandardCharsets.UTF_8);
    for (int tries = 1; ; tries++) {
      try {
        Answer answer = attempt(method, path, body);
        if ((answer.status() < 500 && answer.status() != 429) || tries == 5) {
          return answer;
        }
      } catch (IOException noAnswer) {
        if (tries == 5) {
          throw noAnswer;
        }
      }
      Thread.sleep(tries * 1000L);
    }
  }

  /** A call that must be answered with this status; answers the body. */
  private static String must(int wanted, String method, String path, String content) throws Exception {
    Answer answer = call(method, path, content);
    if (answer.status() != wanted) {
      throw new IllegalStateException(
          method + " " + path + " answered " + answer.status() + ": " + answer.text());
    }
    return answer.text();
  }

  /** A number in flat JSON; a program of yours uses a JSON library. */
  private static long number(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\":(\\d+)").matcher(json);
    if (!found.find()) {
      throw new IllegalStateException("no " + name + " in " + json);
    }
    return Long.parseLong(found.group(1));
  }

  public static void main(String[] arguments) throws Exception {
    String player = arguments.length > 0 ? arguments[0] : "example-java";
    // "example player" in Chinese, written so that the compiler's character set does not matter.
    String name = "\u793a\u4f8b\u73a9\u5bb6-" + player;
    String who = "\"player_id\":\"" + player + "\",\"user_name\":\"" + name + "\"";
    OUT.println("player: " + must(200, "POST", "/open/v1/players", "{\"players\":[{" + who + "}]}"));

    String deposit =
        "{\"order_no\":\"" + UUID.randomUUID() + "\"," + who + ",\"amount\":\"120.00\",\"channel\":3,"
            + "\"client\":2,\"created_at\":\"" + Instant.now().truncatedTo(ChronoUnit.MILLIS) + "\"}";
    String fed = must(200, "POST", "/open/v1/deposits", "{\"deposits\":[" + deposit + "]}");
    OUT.println("deposit: " + fed);
    if (number(fed, "accepted") != 1) {
      throw new IllegalStateException("the deposit was not accepted");
    }

    String rounds = must(200, "GET", "/open/v1/rounds?active=1", "");
    Matcher ids = Pattern.compile("\"rounds_id\":(\\d+)").matcher(rounds);
    String chosen = null;
    while (ids.find()) {
      String query = "/chances?player_id=" + URLEncoder.encode(player, StandardCharsets.UTF_8);
      String chances = must(200, "GET", "/open/v1/rounds/" + ids.group(1) + query, "");
      OUT.println("chances in round " + ids.group(1) + ": " + chances);
      if (chosen == null && number(chances, "remain") > 0) {
        chosen = ids.group(1);
      }
    }
    if (chosen == null) {
      throw new IllegalStateException("no active round has a draw for " + player);
    }

    // Keep the request_id with your own record of the click, before you call: it makes repeating safe.
    String request = UUID.randomUUID().toString();
    String draw =
        "{\"request_id\":\"" + request + "\",\"rounds_id\":" + chosen + ",\"player_id\":\"" + player + "\"}";
    String first = must(201, "POST", "/open/v1/draws", draw);
    OUT.println("drawn: " + first);

    String again = must(200, "POST", "/open/v1/draws", draw);
    if (!again.equals(first)) {
      throw new IllegalStateException("the repeated draw is another one: " + again);
    }
    OUT.println("repeated: the same record, " + number(again, "log_id"));

    // Money is on its way for a moment; a thing is, until somebody hands it over.
    String found = must(200, "GET", "/open/v1/draws/" + request, "");
    boolean isMoney = found.contains("\"type\":\"virtual\"");
    for (int asked = 1; isMoney && number(found, "award_status") == 0 && asked < 30; asked++) {
      Thread.sleep(1000L);
      found = must(200, "GET", "/open/v1/draws/" + request, "");
    }
    OUT.println("award_status: " + number(found, "award_status"));
  }
}
