import { expect, test } from "vitest";
import { secrets } from "./secrets.ts";

const judge = (text: string): string | undefined => secrets()({ text });

test.each([
  "DB_PASSWORD=hunter2hunter2",
  "DB_PASSWORD=correcthorse",
  "export DB_PASSWORD=hunter2hunter2",
  'DB_PASSWORD="hunter2 hunter2"',
  "DB_PASSWORD='hunter2hunter2' # of the staging server",
  "PORT=3000\n  APP_SECRET=7f9a2b3c4d\nDEBUG=1",
  "PORT=3000\r\nAPP_SECRET=7f9a2b3c4d\r\n",
  "SECRET_KEY=django-insecure-8f#k2j3h4g5",
  "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  "dbPassword=hunter2hunter2",
  "accessToken=7f9a2b3c4d",
  "api-key=7f9a2b3c4d",
  "apikey=7f9a2b3c4d",
  "PGPASSWORD=hunter2hunter2",
  "MYSQL_ROOT_PASSWD=hunter2hunter2",
  "GOOGLE_CREDENTIALS=eyJ0eXBlIjoic2VydmljZSJ9",
  "TOKEN=MTk4NjIyNDgz.Cl2FMQ.ZnCjm1XVW7vRze4b7",
  "ENCRYPTION_KEY=0f3a0f3a0f3a0f3a",
  "#DB_PASSWORD=hunter2hunter2",
  ".env:3:DB_PASSWORD=hunter2hunter2",
  "+DB_PASSWORD=hunter2hunter2",
  "docker run -e DB_PASSWORD=hunter2hunter2 app",
  "ENV DB_PASSWORD=hunter2hunter2",
  String.raw`{"stdout":"A=1\nDB_PASSWORD=hunter2hunter2\nB=2"}`,
  String.raw`{"stdout":"DB_PASSWORD=\"hunter2 hunter2\""}`,
  "DB_PASS\u200bWORD=hunter2hunter2",
  "DB_PASSWORD=pa$$word-77",
  "DB_PASSWORD=change-77-of-the-locks",
])("%j has a secret", (text) => {
  expect(judge(text)).toBe("a secret as .env files have them");
});

test.each([
  "const token = readToken()",
  "PRIMARY_KEY=id INTEGER",
  "maxTokens=4096",
  "MAX_TOKENS=409600000",
  "cacheKey=user:1",
  "cacheKey=user:1:of-the-page",
  "CACHE_KEY=users-of-the-page-1",
  "API_KEY=",
  "API_KEY=short",
  "API_KEY=changeme",
  "API_KEY=CHANGE_ME_PLEASE",
  "API_KEY=your-key",
  'API_KEY="your key here"',
  "API_KEY=<your api key>",
  "API_KEY=xxxxxxxxxxxx",
  "API_KEY=sk-xxxxxxxxxxxx",
  "API_KEY=************",
  "API_KEY=${API_KEY}",
  'API_KEY="${API_KEY:-}"',
  "API_KEY=$API_KEY_OF_STAGING",
  "API_KEY=$(cat /run/secrets/key)",
  "API_KEY=`cat /run/secrets/key`",
  "API_KEY={{ secrets.API_KEY }}",
  "API_KEY=%API_KEY%",
  "API_KEY=process.env.API_KEY",
  "API_KEY=import.meta.env.VITE_API_KEY;",
  "api_key=os.environ['API_KEY'],",
  "    api_key=settings.api_key,",
  "    token=token_provider,",
  "    password=get_password(user),",
  "  apiKey={process.env.API_KEY}",
  "token=readToken();",
  'if (API_KEY=="abcdefghij") return;',
  "if (process.env.API_KEY===expectedKey) return;",
  "API_KEY=op://vault/item/field",
  "SSH_KEY=~/.ssh/id_rsa",
  "TLS_KEY=/etc/ssl/private/server.key",
  "TOKEN=https://auth.example.com/token",
  "monkey=bananas-and-nuts",
  '  dataKey="uniqueVisitors"',
  '  labelKey="settings.title"',
  '  key="user-list-item"',
  "PUBLIC_KEY=ssh-ed25519-AAAAC3Nza",
  "KEYBOARD=qwertz-of-switzerland",
  "TOKENIZER=byte-pair-encoding",
  "PASSWORD_FILE=/run/secrets/password",
  "The password is asked for. KEY=value pairs are read from the file.",
  "USE_TOKEN=disabled",
])("%j has none", (text) => {
  expect(judge(text)).toBeUndefined();
});

test("a long text takes a time that grows with its length", () => {
  const pieces = [
    'A_KEY="',
    "A_KEY='a",
    "_KEY",
    "A",
    "export ",
    "a.",
    "A_KEY=<",
    "A_KEY=$a",
    "A_KEY=a( ",
    " ",
  ];
  for (const piece of pieces) expect(judge(piece.repeat(200_000))).toBeUndefined();
  const words = `A_KEY=${"your".repeat(70)}!`;
  expect(judge(`${words}\n`.repeat(2_000))).toBe("a secret as .env files have them");
});
