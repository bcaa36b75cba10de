// Labels of a guide's two lists in its editor.
import { m } from "../../../paraglide/messages.js";

/** By form name. */
export const GUIDE_TEXTS = {
  steps: {
    title: m.admin_guide_steps,
    note: null,
    empty: m.admin_guide_empty,
    add: m.admin_guide_add,
    item: m.admin_guide_step,
    up: m.admin_guide_up,
    down: m.admin_guide_down,
    remove: m.admin_guide_remove,
  },
  boxes: {
    title: m.admin_guide_boxes,
    note: m.admin_guide_boxes_note,
    empty: m.admin_guide_boxes_empty,
    add: m.admin_guide_box_add,
    item: m.admin_guide_box,
    up: m.admin_guide_box_up,
    down: m.admin_guide_box_down,
    remove: m.admin_guide_box_remove,
  },
};
