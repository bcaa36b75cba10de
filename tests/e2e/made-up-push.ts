/** A push service that is made up, for walks and pictures: browsers that are driven have none. */

/** Runs in the browser: everything of web push but the site's end, since no push service is there to answer. */
export function makeUpPush(answer: NotificationPermission | "asking"): void {
  // As a browser does, it keeps both from page to page.
  const kept = (name: string) => sessionStorage.getItem(`made up ${name}`);
  const keep = (name: string, value: string) => sessionStorage.setItem(`made up ${name}`, value);
  const bytes = (count: number, first: number) =>
    btoa(String.fromCharCode(first, ...Array.from({ length: count - 1 }, (_, at) => at)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "");
  const made = {
    options: { applicationServerKey: null },
    toJSON: () => ({
      endpoint: "https://fcm.googleapis.com/fcm/send/tell-me",
      // A point of P-256 (the generator), as browsers make one.
      keys: {
        p256dh: "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
        auth: bytes(16, 7),
      },
    }),
    unsubscribe: async () => {
      keep("subscription", "");
      return true;
    },
  };
  const registration = {
    pushManager: {
      getSubscription: async () => (kept("subscription") ? made : null),
      subscribe: async () => {
        keep("subscription", "made");
        return made;
      },
    },
  };
  const container = {
    register: async () => registration,
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
    addEventListener: () => {},
    controller: null,
  };
  Object.defineProperty(navigator, "serviceWorker", { value: container });
  Object.defineProperty(window, "Notification", {
    value: {
      get permission() {
        return kept("permission") ?? "default";
      },
      requestPermission: async () => {
        // Nobody has answered the question yet.
        if (answer === "asking") return new Promise(() => {});
        keep("permission", answer);
        return answer;
      },
    },
  });
}
