import java.io.File;
import java.security.KeyStore;
import java.util.Base64;

/** Prints a private key of a key store as PEM, which keytool does not: STORE PASSWORD ALIAS. */
public final class PrivateKeyPem {
  public static void main(String[] args) throws Exception {
    char[] password = args[1].toCharArray();
    KeyStore store = KeyStore.getInstance(new File(args[0]), password);
    byte[] key = store.getKey(args[2], password).getEncoded();
    Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
    System.out.println("-----BEGIN PRIVATE KEY-----\n" + lines.encodeToString(key) + "\n-----END PRIVATE KEY-----");
  }
}
