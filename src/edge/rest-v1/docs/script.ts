// What the reference's page does by itself: it sends what its forms hold. The key stays in the page
// and is gone when it is closed.

export const script = `
for (const form of document.forms) {
  if (!form.dataset.path) continue;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const shown = form.parentElement.querySelector("pre");
    const { method, path } = form.dataset;
    const headers = { authorization: "Bearer " + document.getElementById("key").value.trim() };
    const query = new URLSearchParams();
    let address = path;
    for (const { name, value, dataset } of form.querySelectorAll("input")) {
      if (dataset.in === "path") address = address.replace("{" + name + "}", () => value);
      else if (value !== "" && dataset.in === "query") query.append(name, value);
      else if (value !== "" && dataset.in === "header") headers[name] = value;
    }
    const body = method === "GET" ? undefined : form.querySelector("textarea")?.value || undefined;
    if (body !== undefined) headers["content-type"] = "application/json";
    shown.hidden = false;
    shown.textContent = "...";
    try {
      const answer = await fetch(address + (query.size ? "?" + query : ""), { method, headers, body });
      const text = await answer.text();
      let pretty = text;
      try {
        pretty = JSON.stringify(JSON.parse(text), null, 2);
      } catch {}
      shown.textContent = answer.status + " " + answer.statusText + "\\n\\n" + pretty;
    } catch (error) {
      shown.textContent = String(error);
    }
  });
}
`;
