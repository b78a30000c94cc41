import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Reads an address that is built in, with Java's own client. */
class Health {
  public static void main(String[] args) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("https://api.runpod.ai/healthz")).build();
    System.out.println(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
  }
}
