import { expect, test } from "vitest";
import { allowedDomains } from "./allowed-domains.ts";

const judge = (text: string, domains: readonly string[] = ["example.com", "bücher.de"]) =>
  allowedDomains(domains)({ text });

test.each([
  "See https://example.com/a, http://shop.example.com:8080 and HTTPS://EXAMPLE.COM.",
  "https://example.com./x and https://xn--bcher-kva.de and https://bücher.de",
  "[page](/orders/1), [here](#top), ![](img/a.png) and <a href='orders.html?a=b'>x</a>",
  "[mail](mailto:help@example.com) and <mailto:help@shop.example.com?subject=Hi>",
  "www.example.com, and a bare name: evil.com",
  "Write `https://<your-host>/path`, or https://",
  "10:30, and/or, src//index, a // comment, data = 5, e.g. [note]: see below",
  "“https://example.com”, „https://example.com/a“, «https://example.com» and https://example.com’s",
  "https://example.com… https://example.com—the https://example.com。 https://example.com，下一步",
  "let a = 1; //comment.text\n  //options.name is a text",
  "Write to ann@evil.com, <help@example.com> or mailto:help@example.com?subject=Hi; mailto: is a scheme.",
  "",
])("%j has no other link", (text) => {
  expect(judge(text)).toBeUndefined();
});

test.each([
  ["https://evil.com/x", "evil.com"],
  ["(https://evil.com)", "evil.com"],
  ["https://example.com.evil.com", "example.com.evil.com"],
  ["https://notexample.com", "notexample.com"],
  ["https://evil.com/example.com", "evil.com"],
  ["https://evil.com#@example.com", "evil.com"],
  ["https:\\\\evil.com", "evil.com"],
  ["https:/evil.com", "evil.com"],
  ["www.evil.com", "www.evil.com"],
  ["//evil.com/x", "evil.com"],
  ["详见https://evil.com/?q=secret", "evil.com"],
  ["これhttps://evil.com", "evil.com"],
  ["42https://evil.com", "evil.com"],
  ["foo_https://evil.com", "evil.com"],
  ["_www.evil.com_", "www.evil.com"],
  ["詳細はwww.evil.com", "www.evil.com"],
  ["“https://evil.com”", "evil.com"],
  ["https://evil.com—the", "evil.com"],
  ["https://example.com，.evil.com", "example.com,.evil.com"],
  ["https://example.com。evil", "example.com.evil"],
  ["fetch('//evil.com')", "evil.com"],
  ["`//evil.com`", "evil.com"],
  ["<b>x</b> //evil.com", "evil.com"],
  ["<meta http-equiv=refresh content='0; //evil.com'>", "evil.com"],
  ["//evil.com:80", "evil.com"],
  ["//evil.com?q=secret", "evil.com"],
  [String.raw`<div style="background:url('\2f\2f evil.com/?q')">`, "evil.com"],
  [String.raw`<p style="background:u\72 l(https\3a //evil.com)">`, "evil.com"],
  [String.raw`<p style="background:url(&#92;2f&#92;2f evil.com)">`, "evil.com"],
  ["![x](//evil.com/a.png?d=secret)", "evil.com"],
  ["[x](/\\evil.com)", "evil.com"],
  ["[x](\\\\evil.com)", "evil.com"],
  ["[x](https:evil.com)", "evil.com"],
  ["[x]( <//evil.com> )", "evil.com"],
  ["[x]: //evil.com", "evil.com"],
  ["[x](&#47;&#x2f;evil.com)", "evil.com"],
  ["https&colon;&sol;&sol;evil.com", "evil.com"],
  ["[x](https:\\/\\/evil.com)", "evil.com"],
  ["<a href=//evil.com>", "evil.com"],
  ["<a href = 'htt\nps:evil.com'>", "evil.com"],
  ["<img src='/\t/evil.com/a.png'>", "evil.com"],
  ["<img src=/&Tab;/evil.com/?q=secret>", "evil.com"],
  ["<img src=/&#9;/evil.com>", "evil.com"],
  ["<img src=/&#10;/evil.com>", "evil.com"],
  ["<img src=/&NewLine;/evil.com>", "evil.com"],
  ["<img src=/&#x9;\\evil.com>", "evil.com"],
  ["<img src=&Tab;//evil.com>", "evil.com"],
  ["[a](/&Tab;/evil.com)", "evil.com"],
  ["<img srcset='a.png 1x, //evil.com/b.png 2x'>", "evil.com"],
  ["background: url( '//evil.com/a' )", "evil.com"],
  ["https://xn--bcher-kva.com", "xn--bcher-kva.com"],
  ["https://exаmple.com", "xn--exmple-4nf.com"],
  ["https://ｅvil.com", "evil.com"],
  ["https://2130706433/", "127.0.0.1"],
  ["http://[::1]/", "[::1]"],
])("%j leads elsewhere", (text, host) => {
  expect(judge(text)).toBe(`a link to ${host}`);
});

test.each([
  ["https://example.com@evil.com", "a link with a user name"],
  ["https://user:pass@example.com/", "a link with a user name"],
  ["ftp://example.com/x", "a link of the scheme ftp:"],
  ["详见ftp://example.com/x", "a link of the scheme ftp:"],
  [String.raw`<style>p{background:url(\68ttps://evil.com/?q)}</style>`, "a link of the scheme ttps:"],
  ["xhttps://evil.com/x", "a link of the scheme xhttps:"],
  ["[x](javascript:alert(1))", "a link of the scheme javascript:"],
  ["[x](JaVaScRiPt&#58;alert(1))", "a link of the scheme javascript:"],
  ["<a href='java\nscript:alert(1)'>", "a link of the scheme javascript:"],
  ["<img src=h&Tab;ttps://evil.com>", "a link of the scheme ttps:"],
  ["[a](h&Tab;ttps://evil.com)", "a link of the scheme ttps:"],
  ["<a href=java&Tab;script:alert(1)>", "a link of the scheme javascript:"],
  ["<img src='data:text/html;base64,AA'>", "a link of the scheme data:"],
  ["<tel:+491234>", "a link of the scheme tel:"],
  ["[x](mailto:a@evil.com)", "an address of mail elsewhere"],
  ["[x](mailto:help@example.com?cc=a%40evil.com)", "an address of mail elsewhere"],
  ["mailto:a@evil.com?body=secret", "an address of mail elsewhere"],
  ["MAILTO:help@example.com?cc=a@evil.com", "an address of mail elsewhere"],
  ["<a@evil.com>", "an address of mail elsewhere"],
  ["&lt;a&commat;evil.com&gt;", "an address of mail elsewhere"],
  ["https://example.com—․evil", "a link that cannot be read"],
  ["https://example.com，x@2130706433", "a link with a user name"],
  ["https://exa mple:99999999", "a link to exa"],
])("%j: %s", (text, reason) => {
  expect(judge(text)).toBe(reason);
});

test("no host is allowed with an empty list", () => {
  expect(judge("https://example.com", [])).toBe("a link to example.com");
});

test.each([
  ["https://example.com"],
  ["example.com/x"],
  ["*.example.com"],
  ["a@example.com"],
  ["example.com:80"],
  [""],
  [1],
])("%j is not a host", (domain) => {
  expect(() => allowedDomains([domain as string])).toThrow(
    'allowedDomains() requires hosts such as "example.com"',
  );
});

test("a list is required", () => {
  expect(() => allowedDomains("example.com" as unknown as [])).toThrow(
    "allowedDomains() requires a list of hosts",
  );
});

test("a long text takes a time that grows with its length", () => {
  for (const piece of [
    "](",
    'href="',
    "url(",
    "<a:",
    "http:/",
    "&#",
    "\\",
    "]: ",
    "www.",
    "//a",
    "src = ",
    "mailto:",
    "<a@",
    "“",
    "//a.“",
  ])
    judge(piece.repeat(400_000 / piece.length));
  expect(judge(`${" ".repeat(500_000)}https://evil.com`)).toBe("a link to evil.com");
});
