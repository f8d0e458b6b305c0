import { describe, expect, test } from "vitest";
import { hideEscaped, plainForms, secretHider } from "./hide-secrets.ts";

const secret = 'p4ss "w/rd\\ü';
const { text, value, json } = secretHider([secret], {}, 4);

describe("a secret is hidden", () => {
  test.each([
    ["as it is", secret],
    ["in an address", encodeURIComponent(secret)],
    ["in JSON", JSON.stringify(secret).slice(1, -1)],
    ["in JSON within JSON", JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ["in JSON with every letter escaped", escapeAll((code) => `\\u${code.toString(16).padStart(4, "0")}`)],
    [
      "in JSON within JSON with every letter escaped",
      escapeAll((code) => `\\\\u${code.toString(16).padStart(4, "0")}`),
    ],
    ["in a page with decimal codes", escapeAll((code) => `&#${code};`)],
    ["in a page with padded decimal codes", escapeAll((code) => `&#000${code};`)],
    ["in a page with hexadecimal codes", escapeAll((code) => `&#x${code.toString(16)};`)],
    ["in a page with padded hexadecimal codes", escapeAll((code) => `&#X00${code.toString(16)};`)],
    ["in a page with names", secret.replace('"', "&QUOT;")],
    ["with a letter escaped as an address does", secret.replace("p", "%70")],
  ])("%s", (_, form) => {
    expect(text(`before ${form} after`)).toBe("before [redacted] after");
  });

  test("as often as it comes, whatever stands between", () => {
    const escaped = secret.replace("p", "\\u0070");
    expect(text(`${escaped}&amp;${escaped}${secret}%41`)).toBe("[redacted]&amp;[redacted][redacted]%41");
  });

  test("in the texts, names and numbers of a value, and nothing else of it is changed", () => {
    const hider = secretHider(["4711471147"], {}, 4);
    const date = new Date(0);
    expect(
      hider.value({
        a: ["4711471147", 4711471147, 4711, true, null, date],
        x4711471147: { b: "4711471147!" },
      }),
    ).toEqual({
      a: ["[redacted]", "[redacted]", 4711, true, null, date],
      "x[redacted]": { b: "[redacted]!" },
    });
    const own = Object.keys(Object(value(JSON.parse('{"__proto__":1}'))));
    expect(own).toEqual(["__proto__"]);
  });

  test("in a text that is JSON, which stays the same text where there is nothing to hide", () => {
    expect(json(`{ "a": ${JSON.stringify(secret)} }`)).toBe('{"a":"[redacted]"}');
    expect(json('{ "a": [1, "b"] }')).toBe('{ "a": [1, "b"] }');
    expect(json(`{ "a": ${JSON.stringify(secret)}`)).toBe('{ "a": "[redacted]"');
  });
});

function escapeAll(escape: (code: number) => string): string {
  return secret.replaceAll(/[^]/g, (char) => escape(char.charCodeAt(0)));
}

describe("what is a secret", () => {
  test("the values of headers that are named like secrets, without their schemes", () => {
    const hider = secretHider([], { authorization: "Bearer hunter2hunter2", accept: "text/html" }, 4);
    expect(hider.text("hunter2hunter2 wants text/html")).toBe("[redacted] wants text/html");
  });

  test("what a login encodes, given as a secret", () => {
    const hider = secretHider([`Basic ${btoa("ada:hunter2hunter2")}`], {}, 4);
    expect(hider.text("The password hunter2hunter2 of ada:hunter2hunter2 is wrong.")).toBe(
      "The password [redacted] of [redacted] is wrong.",
    );
  });

  test("no text shorter than asked", () => {
    const hider = secretHider(["pass", "words"], {}, 5);
    expect(hider.text("pass words p\\u0061ss")).toBe("pass [redacted] p\\u0061ss");
    expect(hider.text("words")).toBe("[redacted]");
  });

  test("the longest one that fits, where one is within another", () => {
    const hider = secretHider(["hunter", "hunter2hunter"], {}, 4);
    expect(hider.text("a hunter and hunter2hunter")).toBe("a [redacted] and [redacted]");
    expect(hider.text("%68unter2%68unter, %68unter")).toBe("[redacted], [redacted]");
  });
});

test("of the forms of secrets, those remain that are long enough without their escapes, the longest first", () => {
  expect(plainForms(["%61%62%63", "%61%62%63%64", "a\\u0062cde", "abcde"], 4)).toEqual(["abcde", "abcd"]);
});

describe("what reads as a secret once its escapes are undone", () => {
  const masked = (whole: string, plain: readonly string[]): string =>
    hideEscaped(whole, plain, (found) => `<${found}>`);

  test("is masked with its escapes", () => {
    expect(masked("x &#97;bcd y ab\\u0063d", ["abcd"])).toBe("x <&#97;bcd> y <ab\\u0063d>");
    expect(hideEscaped("%61bcd", ["abcd"])).toBe("[redacted]");
  });

  test("is masked to where it ends, where two overlap", () => {
    expect(masked("%61bcdef!", ["abcd", "cdef"])).toBe("<%61bcd>!");
    expect(masked("%61bcdef!", ["cdef", "abcd"])).toBe("<%61bcd>!");
    expect(masked("%61bcdef!", ["abcdef", "bc"])).toBe("<%61bcdef>!");
  });

  test("is masked once for each place, though it repeats itself", () => {
    expect(masked("%61aaaaa", ["aaa"])).toBe("<%61aa><aaa>");
  });

  test("is left where nothing is escaped, or nothing is a secret", () => {
    expect(masked("abcd", ["abcd"])).toBe("abcd");
    expect(masked("abcd 100% & more", ["abcd"])).toBe("abcd 100% & more");
    expect(masked("%61bc", ["abcd"])).toBe("%61bc");
    expect(masked("x &nbsp; %zz \\n", ["abcd"])).toBe("x &nbsp; %zz \\n");
  });

  test("does not have the backslashes that are within it", () => {
    expect(masked("a\\bc\\\\d \\u005cx", ["abcd"])).toBe("<a\\bc\\\\d> \\u005cx");
    expect(masked("a%5Cbcd", ["abcd"])).toBe("<a%5Cbcd>");
  });
});

test("a secret with invisible characters in it is hidden: what takes those out would put it together again", () => {
  const hider = secretHider(["tok-live-abcdef"], {}, 4);
  for (const char of ["\u200b", "\u00ad", "\u{e0041}", "\r"])
    expect(hider.value({ a: `x tok-${char}live-abcdef y` })).toEqual({ a: "x [redacted] y" });
  expect(hider.text("a\u200bb")).toBe("a\u200bb");
});
