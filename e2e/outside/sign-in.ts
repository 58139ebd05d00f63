/** Part 1: the operator binds an authenticator and signs in. */
import { claim, claimEqual } from "./claims.ts";
import type { Context } from "./context.ts";
import { dig, parsed, textAt } from "./json.ts";
import { operatorCall, operatorOf } from "./operator.ts";
import { authenticatorOf, codeOf, stepAt, wrongCode } from "./totp.ts";

/** Binds the authenticator of a new operator; answers an access token, and the authenticator's seed. */
export async function bindAndSignIn(
  base: string,
  username: string,
  password: string,
): Promise<{ token: string; seed: string }> {
  const login = (more: object) =>
    operatorCall(base, "POST", "/oauth/login", { username, password, pid: "2", ...more });
  const seed = textAt(await login({}), "data", "secret");
  const bound = await login({ code: codeOf(seed, stepAt(Date.now())), secret: seed });
  return { token: textAt(bound, "data", "access_token"), seed };
}

/** Makes an operator by the command line, and binds its authenticator by API. */
export async function makeOperator(base: string, redctl: Context["redctl"], name: string) {
  const created = await redctl(`admin create ${name} --json`);
  if (created.code !== 0) {
    throw new Error(`no operator ${name}: ${created.err}`);
  }
  const password = textAt(parsed(created.out), "password");
  const { token, seed } = await bindAndSignIn(base, name, password);
  return { operator: operatorOf(base, token), token, seed, password };
}

/** Signs in for the first time and again; answers an access token, and the bound authenticator. */
export async function signIn({ base, admin }: Context) {
  const login = (more: object) =>
    operatorCall(base, "POST", "/oauth/login", { ...admin, pid: "2", ...more });

  const stranger = await login({ username: "nobody-here" });
  const wrong = await login({ password: "not the password at all" });
  claimEqual("a wrong password answers 1001", [wrong.http, wrong.code], [200, 1001]);
  const same = stranger.code === wrong.code && stranger.msg === wrong.msg;
  claim("an unknown user hears the same words", same, [stranger, wrong]);

  const first = await login({});
  claimEqual("the first sign-in answers 407", [first.http, first.code], [200, 407]);
  const secret = textAt(first.data, "secret");
  const picture = String(dig(first.data, "qr_code"));
  claim(
    "407 brings a picture of the code",
    picture.startsWith("data:image/"),
    picture.slice(0, 40),
  );
  const guess = await login({ code: wrongCode(secret, Date.now()), secret });
  claimEqual(
    "a wrong first code answers 407 with the same secret",
    [guess.code, dig(guess.data, "secret")],
    [407, secret],
  );

  const step = stepAt(Date.now());
  const bound = await login({ code: codeOf(secret, step), secret });
  claimEqual("a right first code binds and signs in", [bound.http, bound.code], [200, 0]);
  const cookie = bound.cookies.find((one) => one.startsWith("Admin-Token=")) ?? "";
  const isProtected = /;\s*HttpOnly/i.test(cookie) && /;\s*SameSite=Strict/i.test(cookie);
  claim(
    "the cookie Admin-Token is HttpOnly and SameSite=Strict",
    isProtected,
    cookie.replace(/=.*?;/, "=…;"),
  );

  const answer = await login({});
  claimEqual("once bound, a sign-in without a code answers 402", answer.code, 402);
  const used = await login({ code: codeOf(secret, step) });
  claimEqual("a used code answers 402 and signs nobody in", [used.code, used.data], [402, null]);
  const next = await login({ code: codeOf(secret, step + 1) });
  claimEqual("the next code signs in", next.code, 0);
  const token = textAt(next.data, "access_token");

  const outside = await operatorCall(base, "GET", "/gred/api/act/list?page=1&size=20", null);
  claimEqual("without a token the answer is 401", [outside.http, outside.code], [200, 401]);
  return { token, authenticator: authenticatorOf(secret, step + 1) };
}
