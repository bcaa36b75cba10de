// Every address that the map does not know: 404, shown by the layout's boundary.
import { data } from "react-router";

export function loader() {
  throw data(null, { status: 404 });
}

export default function NotFoundRoute() {
  return null;
}
