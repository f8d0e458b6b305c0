const variables = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"];

/** The passwords of the proxies that the environment names, by the variable: a proxy may write one into its answer. */
export function proxyPasswords(): Readonly<Record<string, string>> {
  const passwords: Record<string, string> = {};
  for (const name of variables) {
    const { password = "" } = URL.parse(globalThis.process?.env[name] ?? "") ?? {};
    if (password !== "") passwords[`${name} password`] = decoded(password);
  }
  return passwords;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
