import { development } from "./places/development.ts";
import { tryPlaces } from "./try-places.ts";

tryPlaces(development);
