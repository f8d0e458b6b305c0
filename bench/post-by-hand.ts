import { request } from "node:http";

/** Posts a body to a server of Chat Completions, and gives the bytes of its answer. */
export type Post = (baseURL: string, body: string) => Promise<AsyncIterable<Uint8Array>>;

const headers = { "content-type": "application/json", authorization: "Bearer key" };

/** With the function that every runtime has. */
export const postByFetch: Post = async (baseURL, body) => {
  const response = await fetch(`${baseURL}/chat/completions`, { method: "POST", headers, body });
  if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
  return response.body;
};

/** With Node's own module, which is beneath no web streams. */
export const postByNode: Post = (baseURL, body) =>
  new Promise((resolve, reject) => {
    const outgoing = request(`${baseURL}/chat/completions`, { method: "POST", headers }, (incoming) => {
      if (incoming.statusCode === 200) resolve(incoming);
      else reject(new Error(`status ${incoming.statusCode}`));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
