import { expect, test } from "vitest";
import { secrets } from "./secrets.ts";

const judge = (text: string, values?: readonly string[]) => secrets(values ? { values } : {})({ text });

test.each([
  ["Use sk-proj-abcDEF123456 for it.", "a key or token"],
  ["token: ghp_0123456789abcdefghijABCDEFGHIJ012345", "a key or token"],
  ["AKIAIOSFODNN7EXAMPLE", "a key or token"],
  ["glpat-Ab3dEf6hIj9lMn2pQr5t", "a key or token"],
  [`npm_${"aB3dE6".repeat(6)}`, "a key or token"],
  ["xapp-1-A02BCDEF-123", "a key or token"],
  [`SG.${"aB3-".repeat(5)}.${"cD4_".repeat(10)}`, "a key or token"],
  [`dop_v1_${"0f3a".repeat(16)}`, "a key or token"],
  [`shpat_${"0f3a".repeat(8)}`, "a key or token"],
  [`rk_live_${"aB3d".repeat(6)}`, "a key or token"],
  [`dapi${"0f3a".repeat(8)}`, "a key or token"],
  [`ya29.${"aB3-".repeat(10)}`, "a key or token"],
  [`pypi-AgEIcHlwaS5vcmcC${"aB3d".repeat(6)}`, "a key or token"],
  ["Authorization: Bearer 7f9a2b3c4d", "a key or token"],
  ["Authorization: Bearer  7f9a2b3c4d", "a key or token"],
  ["-----BEGIN RSA PRIVATE KEY-----\nMII", "a private key"],
  ["-----BEGIN PGP PRIVATE KEY BLOCK-----", "a private key"],
  ["postgres://app:hunter2@db.example.com/x", "an address with a password"],
  ["postgres://app:${PASS}@a/x, postgres://app:hunter2@b/x", "an address with a password"],
  // Nothing unseen, and no other width, hides it.
  ["sk-proj-abc\u200bDEF123456", "a key or token"],
  ["ｓｋ-proj-abcDEF123456", "a key or token"],
  ["_sk-proj-abcDEF1234567890abcDEF_", "a key or token"],
  ["a __sk-proj-abcDEF1234567890abcDEF__", "a key or token"],
  ["**sk-proj-abcDEF1234567890abcDEF**", "a key or token"],
  ["sk-ant-api03-abcdefghijklmnop_qrstuvwxyz-0123456789AA", "a key or token"],
  [`sk-or-v1-${"0f3a".repeat(16)}`, "a key or token"],
  ["sk_live_abcdefghijklmnopqrstuvwx", "a key or token"],
  ["rk_live_abcdefghijklmnopqrstuvwx", "a key or token"],
  [`r8_${"aB3d".repeat(9)}x`, "a key or token"],
  ["hf_abcdefghijklmnopqrstuvwxyzABCDEFGH", "a key or token"],
])("%j has a secret", (text, reason) => {
  expect(judge(text)).toBe(reason);
});

test.each([
  "The server requires Bearer authentication.",
  "See https://example.com/docs?page=2 and mail ann@example.com.",
  "npm_config_registry, npm_package_dependencies_zod and pypi-packages-of-the-year-2024 are names.",
  "glob-pattern-of-version-2-files and glow-effect-for-button-number-3 are names, too.",
  "The task-list has pk_order_item and a desk-top.",
  '<div class="sk-fading-circle sk-circle12 sk-folding-cube-spinner-large">',
  "@keyframes sk-foldCubeAngle and .sk-toggleable__content-arrow-icon, .sk-container-id-1",
  "Set OPENAI_API_KEY=sk-your-key, or sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxx.",
  "sk_SK.ISO8859-2, sk_X509_EXTENSION_new_null(), sk_X509_CERTIFICATE_free(), sk-button-2024 and pk_id_2024",
  "rk_live_search_results_of_the_page and r8_model_of_a_name",
  "-----BEGIN CERTIFICATE-----",
  "postgres://${USER}:${PASS}@db.example.com/x",
  "postgres://user:password@localhost/db",
  "https://user:<password>@example.com and https://user:xxxxx@example.com",
  "",
])("%j has none", (text) => {
  expect(judge(text)).toBeUndefined();
});

test("the program's own secrets are recognised as URLs, JSON and base64 write them", () => {
  const secret = 'correct horse "battery"';
  const texts = [secret, encodeURIComponent(secret), JSON.stringify(secret), btoa(`user:${secret}`)];
  for (const text of texts) expect(judge(`It is ${text}.`, [secret])).toBe("a secret of the program");
  expect(judge("It is a correct horse.", [secret])).toBeUndefined();
});

test.each([
  "hunter2%2Dcorrect%2dhorse",
  "%68unter2-correct-horse",
  "It is hunter2-correct-\n  horse.",
  "It is hunter2-\r\ncorrect-horse.",
])("the program's own secret is recognised in %j", (text) => {
  expect(judge(text, ["hunter2-correct-horse"])).toBe("a secret of the program");
  expect(judge(text, ["another-secret"])).toBeUndefined();
});

test("an own secret of several words or lines is recognised however its lines are broken", () => {
  expect(judge("correct horse\nbattery", ["correct horse battery"])).toBe("a secret of the program");
  expect(judge("one-line\r\ntwo-line", ["one-line\ntwo-line"])).toBe("a secret of the program");
  expect(judge("100% correct%zz horse", ["correct horse"])).toBeUndefined();
});

test.each([
  [["short"], "values[0] of secrets() must be a text of 8 characters or more, not one of 5."],
  [
    ["long enough", undefined],
    "values[1] of secrets() must be a text of 8 characters or more, not undefined.",
  ],
  [["long enough", ""], "values[1] of secrets() must be a text of 8 characters or more, not one of 0."],
  ["secret-value", "values of secrets() must be a list, each of which must be a text of 8 characters"],
])("values %j are refused", (values, words) => {
  const refused = () => secrets({ values: values as string[] });
  expect(refused).toThrow(words);
  expect(refused).not.toThrow("short");
});

test("a long text takes a time that grows with its length", () => {
  const hostile = ["sk-", "Bearer ", "eyJ", "a:", "://", "-----BEGIN "]
    .map((piece) => piece.repeat(200_000))
    .join("");
  expect(judge(hostile.replaceAll("sk-", "sk "))).toBeUndefined();
});
