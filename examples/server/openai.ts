/** The `openai` client as a client of the desk: `node examples/server/openai.ts`, while the server runs. */
import OpenAI from "openai";

const url = process.argv[2] ?? "http://localhost:3000";
// The demonstration takes the key for the user's name. Agents are models.
const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "ada" });

console.log("Chat Completions, streamed:");
const completion = client.chat.completions.stream({
  model: "desk",
  messages: [{ role: "user", content: "Where is the parcel of order 8?" }],
});
for await (const { choices } of completion) process.stdout.write(choices[0]?.delta.content ?? "");

console.log("\n\nResponses, with an approval:");
const first = await client.responses.create({ model: "desk", input: "I want my money back for order 7." });
const request = first.output.find((item) => item.type === "mcp_approval_request");
if (!request) throw new Error(`No approval is requested: ${first.output_text}`);
console.log(`${request.name} ${request.arguments} waits: approved.`);

// The server has the conversation: a response goes on with the one before.
const second = await client.responses.create({
  model: "desk",
  previous_response_id: first.id,
  input: [{ type: "mcp_approval_response", approval_request_id: request.id, approve: true }],
});
console.log(second.output_text);
