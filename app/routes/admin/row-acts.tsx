// Last column of admin lists: a link to the row's form, a button that deletes it.
import { m } from "../../paraglide/messages.js";
import { Button, ButtonLink } from "../../ui/button/button.tsx";
import type { Column } from "../../ui/data-table/data-table.tsx";
import { Form } from "../../ui/form/form.tsx";

/** Column with links to each row's form. */
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

/** Button that posts the intent "remove" with the row's id in the field `name`. `of`: action and row, for screen readers. */
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
