export { arxiv, type ArxivQuery } from "./arxiv.ts";
export type { ArxivPaper, ArxivResult } from "./arxiv-feed.ts";
export { searchTools, type SearchToolsOptions } from "./search-tools.ts";
export { ServiceError, type ServiceErrorOptions, type ServiceOptions } from "./service.ts";
export { tavily, type TavilyHit, type TavilyOptions, type TavilyQuery, type TavilyResult } from "./tavily.ts";
export { wikipedia, type WikipediaHit, type WikipediaOptions, type WikipediaSummary } from "./wikipedia.ts";
export { todo } from "./todo/todo.ts";
export type { TodoItem, TodoStatus } from "./todo/todo-item.ts";
export { todosIn } from "./todo/todos-in.ts";
