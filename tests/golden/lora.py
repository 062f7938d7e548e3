"""Makes tests/golden/lora/: adapters as PEFT saves them, and what PyTorch computes with them.

    python tests/golden/lora.py make FOLDER     (PEFT 0.10 or later; run in the repository's root)
    python tests/golden/lora.py check FOLDER    (loads the adapters that nn_save_lora left in FOLDER into PEFT)

The net: "layers.0.q_proj" (a Linear), gelu, "layers.0.c" (GPT-2's Conv1D: a transposed weight), tanh, "head". Both layers have
adapters; the head is trained along with them (modules_to_save).
"""
import sys

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file, save_file
from transformers.pytorch_utils import Conv1D

torch.manual_seed(7)
torch.set_num_threads(1)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.ModuleDict({"q_proj": torch.nn.Linear(6, 5), "c": Conv1D(4, 5)})])
        self.head = torch.nn.Linear(4, 3)

    def forward(self, x):
        x = torch.nn.functional.gelu(self.layers[0]["q_proj"](x))
        return self.head(torch.tanh(self.layers[0]["c"](x)))


def make(folder):
    net = Net()
    torch.nn.init.normal_(net.layers[0]["c"].weight, std=0.5)
    save_file({k: v.clone() for k, v in net.state_dict().items()}, folder + "/base.safetensors")
    config = LoraConfig(r=3, lora_alpha=12, target_modules=["q_proj", "c"], modules_to_save=["head"],
                        init_lora_weights=False, fan_in_fan_out=True)
    net = get_peft_model(net, config)
    with torch.no_grad():
        net.base_model.model.head.weight.mul_(0.5)
    net.save_pretrained(folder)
    x, target = torch.randn(8, 6), torch.randn(8, 3)
    expected = {"x": x, "target": target, "y": net(x).detach().clone()}
    optimizer = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], lr=1e-2)
    losses = []
    for _ in range(10):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    expected["losses"] = torch.stack(losses)
    for name, p in net.named_parameters():
        if p.requires_grad:
            name = name.replace("base_model.model.", "").replace(".default", "").replace("modules_to_save.", "")
            expected[name] = p.detach().clone()
    expected["after"] = net(x).detach().clone()
    expected["merged"] = net.merge_and_unload().state_dict()["layers.0.c.weight"].clone()
    save_file(expected, folder + "/expected.safetensors")


def check(folder):
    net = Net()
    net.load_state_dict(load_file("tests/golden/lora/base.safetensors"))
    net = PeftModel.from_pretrained(net, folder)
    x = load_file("tests/golden/lora/expected.safetensors")["x"]
    ours = load_file(folder + "/ours.safetensors")["y"]
    difference = (net(x) - ours).abs().max().item()
    print("peft %s: outputs of our adapters differ by at most %.1e" % (folder, difference))
    sys.exit(0 if difference <= 1e-4 else 1)


{"make": make, "check": check}[sys.argv[1]](sys.argv[2])
