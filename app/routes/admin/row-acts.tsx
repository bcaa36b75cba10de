// What stands in the last column of the admin's lists: a link to a row's form, a button that ends it.
import { m } from "../../paraglide/messages.js";
import { Button, ButtonLink } from "../../ui/button/button.tsx";
import type { Column } from "../../ui/data-table/data-table.tsx";
import { Form } from "../../ui/form/form.tsx";

/** The column that leads to each row's form. */
export function editColumn<Row>(of: (row: Row) => { to: string; name: string }): Column<Row> {
  return {
    key: "edit",
    label: m.admin_edit(),
    kind: "action",
    cell: (row) => {
      const { to, name } = of(row);
      return (
        <ButtonLink to={to} variant="tonal" size="s" aria-label={m.admin_edit_of({ name })}>
          {m.admin_edit()}
        </ButtonLink>
      );
    },
  };
}

/** A button that posts the intent "remove" with the row's id in the field `name`. `of`: the act with the row it ends, for those who hear it. */
export function RemoveButton(props: { name: string; id: string | number; act: string; of: string; failed: string }) {
  return (
    <Form failed={props.failed}>
      <input type="hidden" name="intent" value="remove" />
      <input type="hidden" name={props.name} value={props.id} />
      <Button type="submit" variant="tonal" size="s" aria-label={props.of}>
        {props.act}
      </Button>
    </Form>
  );
}
