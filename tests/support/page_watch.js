// Watches the page of a seat from inside and tells the test what it shows, whenever that changes. It presses nothing.
// Time goes by four times as fast in the page, so that new buttons do nothing for 75 ms instead of 300.
(() => {
  const FASTER = 4;
  const [now, later] = [performance.now.bind(performance), setTimeout];
  performance.now = () => FASTER * now();
  window.setTimeout = (done, milliseconds, ...rest) => later(done, milliseconds / FASTER, ...rest);

  let told = "";
  const at = (id) => document.getElementById(id);
  const all = (selector, what) => [...at("answers").querySelectorAll(selector)].map(what);

  const look = () => {
    if (document.documentElement?.dataset.ready !== "yes") return;
    const shown = {
      question: at("question").dataset.text ?? "",
      live: !at("answers").classList.contains("dead"),
      buttons: all("[data-option]", (one) => [Number(one.dataset.option), one.firstChild.textContent, one.disabled]),
      cards: all(".choice", (one) => [Number(one.dataset.card), one.getAttribute("aria-pressed") === "true"]),
      amounts: all("input", (one) => [Number(one.min), Number(one.max), Number(one.value)]),
      others: all("[data-key]:not([data-option], .choice)", (one) => one.dataset.key),
      over: !at("result").hidden,
      wrong: [at("note"), at("refused")].filter((one) => !one.hidden).map((one) => one.textContent),
    };
    const text = JSON.stringify(shown);
    if (text === told) return;
    told = text;
    const chips = [...document.querySelectorAll("#table .seat .head")].map((head) => [
      head.querySelector("bdi").textContent, Number(head.parentElement.querySelector(".chips").firstChild.textContent),
    ]);
    window.shows({ ...shown, chips });
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  addEventListener("input", look);
})();
