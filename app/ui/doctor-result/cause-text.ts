// Texts for the doctor's causes, with fixes.
import type { Cause } from "#shared/diagnosis.ts";
import { m } from "../../paraglide/messages.js";

/** True for notes about a server that answers, not errors. */
export const isNote = ({ code }: Cause): boolean =>
  code === "query_port_beside" || code === "other_version" || code === "record_port";

export function causeText(cause: Cause): string {
  switch (cause.code) {
    case "unreadable":
      return m.doctor_cause_unreadable();
    case "bad_port":
      return m.doctor_cause_bad_port();
    case "no_address":
      return m.doctor_cause_no_address();
    case "reports_itself":
      return m.doctor_cause_reports_itself();
    case "silent":
      return cause.host === undefined || cause.address === undefined || cause.address === cause.host
        ? m.doctor_cause_silent()
        : m.doctor_cause_silent_at({ host: cause.host, address: cause.address });
    case "own_network":
      return m.doctor_cause_own_network();
    case "no_protocol":
      return m.doctor_cause_no_protocol();
    case "unknown_name":
      return cause.known
        ? m.doctor_cause_unknown_name_known({ host: cause.host, known: cause.known })
        : m.doctor_cause_unknown_name({ host: cause.host });
    case "dns_failed":
      return m.doctor_cause_dns_failed({ host: cause.host });
    case "never_allowed":
      return m.doctor_cause_never_allowed({ host: cause.host });
    case "closed_address":
      return m.doctor_cause_closed_address({ address: cause.address, setting: cause.setting, cidr: cause.cidr });
    case "closed_port":
      return m.doctor_cause_closed_port({ port: String(cause.port) });
    case "udp_closed":
      return m.doctor_cause_udp_closed({ port: String(cause.port) });
    case "tcp_closed":
      return m.doctor_cause_tcp_closed({ port: String(cause.port) });
    case "which_port":
      return m.doctor_cause_which_port();
    case "mute":
      return m.doctor_cause_mute({ port: String(cause.port), beside: String(cause.beside) });
    case "tcp_only":
      return m.doctor_cause_tcp_only({ port: String(cause.port) });
    case "wants_key":
      return m.doctor_cause_wants_key({ port: String(cause.port) });
    case "udp_lost":
      return m.doctor_cause_udp_lost({ port: String(cause.port), publish: `-p ${cause.port}:${cause.port}/udp` });
    case "valheim_private":
      return m.doctor_cause_valheim_private({ option: "-public 1" });
    case "minecraft_mute":
      return m.doctor_cause_minecraft_mute({ port: String(cause.port), option: "enable-status=true" });
    case "other_language":
      return m.doctor_cause_other_language({ port: String(cause.port) });
    case "nobody_listens":
      return cause.port === null
        ? m.doctor_cause_nobody_listens_anywhere()
        : m.doctor_cause_nobody_listens({ port: String(cause.port) });
    case "query_port_beside":
      return m.doctor_cause_query_port_beside({
        game_port: String(cause.game_port),
        query_port: String(cause.query_port),
      });
    case "other_version":
      return m.doctor_cause_other_version({ told: cause.told, recorded: cause.recorded });
    case "record_port":
      return m.doctor_cause_record_port();
  }
}
