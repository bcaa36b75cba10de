// A form's fields. Bytes that are no form are the sender's fault, not ours: they end in a page that says so.
import { data } from "react-router";

/** The fields that a request carries. @throws React Router's 400 where its body cannot be read as a form. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw data(null, { status: 400 });
  }
}
