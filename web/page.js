/* page.js - what both tabs share: the tabs, light and dark, and the beginning. */
'use strict';

const tabs = [...document.querySelectorAll('[role="tab"]')];

function choose(tab) {
    for (const other of tabs) {
        const chosen = other === tab;
        other.setAttribute('aria-selected', chosen);
        other.tabIndex = chosen ? 0 : -1;
        $(other.getAttribute('aria-controls')).hidden = !chosen;
    }
    if (tab.id === 'tab-onnx') openOnnx();
    else drawCurves();
}

for (const tab of tabs) {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        if (!step) return;
        const other = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
        choose(other);
        other.focus();
    });
}

$('theme').addEventListener('click', () => {
    const page = document.documentElement;
    const dark = page.dataset.theme ? page.dataset.theme === 'dark'
                                    : matchMedia('(prefers-color-scheme: dark)').matches;
    page.dataset.theme = dark ? 'light' : 'dark';
    drawCurves();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawCurves);
addEventListener('resize', drawCurves);

/* A file may be dropped anywhere: the browser must not show it in the place of the page. */
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (!file) return;
    if (file.name.endsWith('.safetensors')) {
        choose(tabs[0]);
        loadWeights(file);
    } else {
        choose(tabs[1]);
        openFile(file);
    }
});

if (typeof WebAssembly === 'undefined') fail(new Error('This browser has no WebAssembly.'));
else openDigits().catch(fail);
if (location.hash === '#onnx') choose($('tab-onnx'));
