// A browser without a window: it follows redirects and keeps cookies.

interface Page {
  /** The address that answered. */
  url: URL;
  status: number;
  text: string;
}

interface Cookie {
  host: string;
  path: string;
  name: string;
  value: string;
}

const MAX_REDIRECTS = 20;

export class WebBrowser {
  /** Every Set-Cookie header, in order. */
  readonly setCookies: string[] = [];
  readonly visited: URL[] = [];
  #cookies: Cookie[] = [];

  /** Follows redirects until `isEnd` or a page. */
  async open(address: string, isEnd: (url: URL) => boolean = () => false): Promise<Page> {
    let url = new URL(address);
    for (let step = 0; step < MAX_REDIRECTS; step++) {
      this.visited.push(url);
      if (isEnd(url)) return { url, status: 0, text: "" };
      const response = await this.fetch(url.href, { accept: "text/html" });
      const location = response.headers.get("location");
      const text = await response.text();
      if (!location) return { url, status: response.status, text };
      url = new URL(location, url);
    }
    throw new Error(`too many redirects, the last to ${url}`);
  }

  /** A request with the cookies of its address. Real browsers share them between the ports of a host. */
  async fetch(
    address: string,
    headers: Record<string, string> = {},
    init: RequestInit = {},
  ): Promise<Response> {
    const { host, pathname } = new URL(address);
    const cookie = this.cookiesOf(new URL(address))
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
    const response = await fetch(address, {
      ...init,
      redirect: "manual",
      headers: { ...headers, ...(cookie && { cookie }) },
    });
    for (const header of response.headers.getSetCookie()) this.#keep(header, host, pathname);
    return response;
  }

  cookiesOf({ host, pathname }: URL): Cookie[] {
    return this.#cookies.filter((each) => each.host === host && pathname.startsWith(each.path));
  }

  /** Puts cookies back that the service deleted. */
  restore(cookies: Cookie[]): void {
    this.#cookies.push(...cookies);
  }

  #keep(header: string, host: string, pathname: string): void {
    this.setCookies.push(header);
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header)!;
    const path = /; path=([^;]*)/i.exec(header)?.[1] ?? pathname;
    this.#cookies = this.#cookies.filter(
      (each) => each.host !== host || each.path !== path || each.name !== name,
    );
    const isOver = /max-age=0|expires=thu, 01 jan 1970/i.test(header);
    if (!isOver) this.#cookies.push({ host, path, name, value });
  }
}
